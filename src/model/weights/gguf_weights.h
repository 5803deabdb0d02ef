// Models in GGUF files: their configuration as config.json would say it, and their weights under
// Hugging Face names.
//
// GGUF files of some families (Family::gguf_permutes_query_and_key) hold the rows of q and k for
// rotary pairs that lie side by side: within a head of E rows, row 2 i + j of the file is row
// j E/2 + i of the Hugging Face weight. This is undone while reading.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "formats/gguf.h"
#include "formats/value.h"
#include "model/weights/weight_files.h"

namespace hone::model {

// config.json's content for the file's model. Throws UserError, naming the key, when the metadata
// lack something, hold another architecture than hone has, or rope factors that no configuration
// can express.
formats::Value gguf_config(const formats::GgufFile& file);

// The file's weights; `file` must outlive them.
std::unique_ptr<WeightFiles> open_gguf_weights(const formats::GgufFile& file,
                                               const ModelDescription& description);

// "blk.3.attn_q.weight" for "model.layers.3.self_attn.q_proj.weight"; empty for an unknown name.
std::string gguf_name(const std::string& hf_name);
// The inverse.
std::string hf_name(const std::string& gguf_name);

}  // namespace hone::model
