// How the tensors of a model are divided among files, and the index that says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/safetensors_writer.h"

namespace hone::formats {

struct SafetensorsShard {
  std::string file_name;  // "model.safetensors", or "model-00001-of-00003.safetensors"
  std::vector<TensorSpec> tensors;
};

// Divides as transformers does (split_torch_state_dict_into_shards of huggingface_hub): in the
// order given, a new file when the next tensor would go over `max_bytes`; a tensor that is larger
// than that gets a file of its own, before the one being filled. One file gets the plain name.
std::vector<SafetensorsShard> divide_into_shards(const std::vector<TensorSpec>& tensors,
                                                 std::uint64_t max_bytes,
                                                 const std::string& stem = "model");

// The text of `<stem>.safetensors.index.json`, as transformers writes it: sorted keys, indented by
// 2, with a line end. metadata.total_parameters is written when it is given.
std::string shard_index_text(const std::vector<SafetensorsShard>& shards,
                             std::optional<std::int64_t> total_parameters = std::nullopt);

}  // namespace hone::formats
