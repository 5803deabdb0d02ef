// What a saved model consists of, as data: its tensors, wherever their values lie, and small text
// files. Made once, written as often as wanted; what is written are the values at that moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/tensor_view.h"
#include "checkpoint/flat_values.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/file_writer.h"
#include "formats/value.h"
#include "model/adapters/lora_placement.h"
#include "model/description/decoder.h"
#include "model/weights/weight_files.h"
#include "parameters/flat_layout.h"

namespace hone::checkpoint {

struct TextFile {
  std::string name;  // in the folder
  std::string content;
};

struct SavedTensor {
  std::string name;          // in the file
  DType dtype = DType::f32;  // in the file; narrowing rounds to nearest even
  Shape shape;
  FlatValues values;                          // when there are none they are read from `files`
  const model::WeightFiles* files = nullptr;  // under `name`
};

// transformers 4's limit for one file.
constexpr std::uint64_t kDefaultShardBytes = 5'000'000'000;

struct ModelFiles {
  std::string stem = "model";  // "adapter_model" for adapters
  std::vector<SavedTensor> tensors;
  std::uint64_t max_file_bytes = kDefaultShardBytes;  // adapters are never divided
  // The last one is the file by which readers know that there is a model (config.json or
  // adapter_config.json); others may be put before it with add().
  std::vector<TextFile> texts;

  void add(const std::vector<data::TokenizerFile>& files);
  void add(TextFile file);
};

// A LoRA adapter as PEFT 0.18 writes it: adapter_model.safetensors (f32) and adapter_config.json
// with its keys, sorted; target_modules are sorted too, so that equal runs give equal bytes.
// `base_model` is base_model_name_or_path. `options` is what the adapters were placed with; `flat`
// holds the trainable weights and must live as long as the result.
ModelFiles adapter_files(const model::Decoder& decoder, const model::LoraOptions& options,
                         const std::string& base_model, const FlatLayout& layout,
                         const FlatValues& flat);

// What config.json and generation_config.json of the base say.
struct BaseConfiguration {
  formats::Value config;
  formats::Value generation_config;  // null: made from the config's special ids
};

// A whole model as transformers' save_pretrained writes it: model.safetensors, or shards and their
// index; config.json with the dtype and architecture of what was written; generation_config.json.
// Every tensor is written in `dtype`. Parameters of `layout` come from `flat`, others from `files`;
// both must outlive the result. `base_size`: parameters from it on belong to adapters and are left
// out. A tied head is not written.
ModelFiles full_model_files(const model::Decoder& decoder, ParameterId base_size,
                            const FlatLayout& layout, const FlatValues& flat,
                            const model::WeightFiles& files, const BaseConfiguration& base,
                            DType dtype);

// The names of the files in the order in which write_model_files writes them.
std::vector<std::string> file_names(const ModelFiles& model);

// Writes everything into an existing folder, file by file and in place, each synced; the text files
// last, in their order. Holds one tensor at most, and that only of those read from files. Errors
// (UserError): the system's, with the file.
void write_model_files(formats::FileSystem& system, const std::filesystem::path& folder,
                       const ModelFiles& model);

// A small file in place and synced, for folders that are renamed when they are complete.
void write_text(formats::FileSystem& system, const std::filesystem::path& file,
                std::string_view text);

}  // namespace hone::checkpoint
