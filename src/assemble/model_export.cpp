#include "assemble/model_export.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "assemble/model_source.h"
#include "assemble/training_data.h"
#include "checkpoint/exporter.h"
#include "checkpoint/modelfile.h"
#include "model/adapters/merged_weights.h"
#include "report/units.h"

namespace hone::assemble {
namespace {

std::optional<DType> asked_dtype(config::InferType type) {
  switch (type) {
    case config::InferType::automatic:
      return std::nullopt;
    case config::InferType::bfloat16:
      return DType::bf16;
    case config::InferType::float32:
      return DType::f32;
  }
  return std::nullopt;
}

// The template fixes the tokenizer, too.
void add_modelfile(const config::Settings& settings, data::Tokenizer& tokenizer, LogSink& log,
                   checkpoint::ExportOptions& options) {
  if (!settings.data.template_name) {
    log.info("no Modelfile for Ollama is written: it is made from `template`, which is not set");
    return;
  }
  const data::Template chat = open_template(settings, tokenizer, log);
  if (std::optional<std::string> text = checkpoint::modelfile_text(chat, tokenizer)) {
    options.texts.push_back({checkpoint::kModelfileName, *std::move(text)});
    return;
  }
  log.warning(
      "no Modelfile for Ollama is written: the system text or a token of this template holds "
      "quotation marks, for which its format has no way");
}

}  // namespace

std::vector<std::string> export_merged_model(const config::Settings& settings, LogSink& log) {
  if (!settings.export_to.export_dir) {
    throw UserError(
        {"export_dir", "no value", "write the folder that the model shall be saved in"});
  }
  const ModelSource source = open_model(settings);
  const model::Decoder decoder(source.description);
  model::check_weights(decoder.registry, decoder.registry.size(), *source.weights);
  checkpoint::ExportOptions options;
  options.folder = *settings.export_to.export_dir;
  options.sources = {source.path};
  std::vector<std::unique_ptr<model::WeightFiles>> merged;
  for (const std::string& path : settings.model.adapter_name_or_path) {
    const model::WeightFiles& base = merged.empty() ? *source.weights : *merged.back();
    model::PeftAdapter adapter(path);
    for (const std::string& note : adapter.notes()) log.info(note);
    merged.push_back(model::merge_adapter(base, std::move(adapter), source.description));
    options.sources.emplace_back(path);
  }
  const model::WeightFiles& weights = merged.empty() ? *source.weights : *merged.back();
  const DType stored = source.weights->find(decoder.registry.at(decoder.embedding).name)->dtype;
  options.dtype = checkpoint::export_dtype(asked_dtype(settings.model.infer_dtype), stored);
  options.max_file_bytes = static_cast<std::uint64_t>(settings.export_to.export_size) * 1000000000u;
  data::Tokenizer tokenizer = source.tokenizer();
  add_modelfile(settings, tokenizer, log, options);
  const checkpoint::SavedCheckpoint saved = [&] {
    formats::PosixFileSystem system;
    return checkpoint::export_model(system, decoder, weights,
                                    {source.config, source.generation_config}, tokenizer.files(),
                                    options);
  }();
  const std::string adapters =
      merged.size() == 1 ? "1 adapter merged" : fmt::format("{} adapters merged", merged.size());
  return {fmt::format("the model lies in {} ({}, {}, {})", saved.path,
                      report::bytes_text(saved.size_bytes), name(options.dtype),
                      merged.empty() ? "no adapter" : adapters)};
}

}  // namespace hone::assemble
