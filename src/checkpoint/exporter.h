// A model, with its adapters merged in, as a folder that transformers reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "checkpoint/model_files.h"
#include "checkpoint/run_saver.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/file_system.h"
#include "model/description/decoder.h"
#include "model/weights/weight_files.h"

namespace hone::checkpoint {

struct ExportOptions {
  std::filesystem::path folder;                       // made when it is not there
  std::vector<std::filesystem::path> sources;         // model and adapters: refused as `folder`
  DType dtype = DType::bf16;                          // of every tensor
  std::uint64_t max_file_bytes = kDefaultShardBytes;  // export_size
  std::vector<TextFile> texts = {};                   // beside the model: the Modelfile
};

// The dtype of an export (infer_dtype): as asked; else the model's own, with f32 as bf16.
DType export_dtype(std::optional<DType> asked, DType stored);

// The tokenizer's files with padding_side "left", for generation.
std::vector<data::TokenizerFile> for_generation(std::vector<data::TokenizerFile> files);

// Writes the model, tensor by tensor: one at a time is in memory. `decoder` must be without
// adapters; `weights` are the base's, or model::merge_adapter's. Another model in the folder is
// replaced as save_final_model does. Errors (UserError): the folder is a source, a file, or cannot
// be written.
SavedCheckpoint export_model(formats::FileSystem& system, const model::Decoder& decoder,
                             const model::WeightFiles& weights, const BaseConfiguration& base,
                             const std::vector<data::TokenizerFile>& tokenizer,
                             const ExportOptions& options);

}  // namespace hone::checkpoint
