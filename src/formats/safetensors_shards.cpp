#include "formats/safetensors_shards.h"

#include <fmt/format.h>

#include "formats/json_writer.h"

namespace hone::formats {

std::vector<SafetensorsShard> divide_into_shards(const std::vector<TensorSpec>& tensors,
                                                 std::uint64_t max_bytes, const std::string& stem) {
  std::vector<SafetensorsShard> shards;
  SafetensorsShard filling;
  std::uint64_t filled_bytes = 0;
  for (const TensorSpec& tensor : tensors) {
    if (tensor.bytes() > max_bytes) {
      shards.push_back({"", {tensor}});
      continue;
    }
    if (filled_bytes + tensor.bytes() > max_bytes) {
      shards.push_back(std::move(filling));
      filling = SafetensorsShard();
      filled_bytes = 0;
    }
    filling.tensors.push_back(tensor);
    filled_bytes += tensor.bytes();
  }
  if (!filling.tensors.empty() || shards.empty()) shards.push_back(std::move(filling));
  for (std::size_t at = 0; at < shards.size(); ++at) {
    shards[at].file_name = shards.size() == 1 ? stem + ".safetensors"
                                              : fmt::format("{}-{:05}-of-{:05}.safetensors", stem,
                                                            at + 1, shards.size());
  }
  return shards;
}

std::string shard_index_text(const std::vector<SafetensorsShard>& shards,
                             std::optional<std::int64_t> total_parameters) {
  std::int64_t total_size = 0;
  Object weight_map;
  for (const SafetensorsShard& shard : shards) {
    for (const TensorSpec& tensor : shard.tensors) {
      total_size += static_cast<std::int64_t>(tensor.bytes());
      weight_map.push_back({tensor.name, Value(shard.file_name)});
    }
  }
  Value metadata;
  if (total_parameters) metadata.set("total_parameters", *total_parameters);
  metadata.set("total_size", total_size);
  Value index;
  index.set("metadata", std::move(metadata));
  index.set("weight_map", std::move(weight_map));
  PythonStyle style;
  style.indent = 2;
  style.sort_keys = true;
  return dump_python(index, style) + "\n";
}

}  // namespace hone::formats
