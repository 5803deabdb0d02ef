#include "checkpoint/exporter.h"

#include <utility>

#include "checkpoint/final_model.h"
#include "checkpoint/output_folder.h"
#include "formats/json.h"
#include "formats/json_writer.h"

namespace hone::checkpoint {

DType export_dtype(std::optional<DType> asked, DType stored) {
  if (asked) return *asked;
  return stored == DType::f32 ? DType::bf16 : stored;
}

std::vector<data::TokenizerFile> for_generation(std::vector<data::TokenizerFile> files) {
  for (data::TokenizerFile& file : files) {
    if (file.name != "tokenizer_config.json") continue;
    formats::Value config = formats::parse_json(file.content, file.name);
    config.set("padding_side", "left");
    file.content =
        formats::dump_python(config, {.indent = 2, .ensure_ascii = false, .sort_keys = true}) +
        "\n";
  }
  return files;
}

SavedCheckpoint export_model(formats::FileSystem& system, const model::Decoder& decoder,
                             const model::WeightFiles& weights, const BaseConfiguration& base,
                             const std::vector<data::TokenizerFile>& tokenizer,
                             const ExportOptions& options) {
  const WrittenFolder written(system, "export_dir", options.folder, options.sources);
  const FlatLayout nothing_trained{ParameterRegistry(decoder.registry.blocks())};
  ModelFiles files = full_model_files(decoder, decoder.registry.size(), nothing_trained, {},
                                      weights, base, options.dtype);
  files.max_file_bytes = options.max_file_bytes;
  files.add(for_generation(tokenizer));
  for (const TextFile& text : options.texts) files.add(text);
  return save_final_model(system, options.folder, files);
}

}  // namespace hone::checkpoint
