// Everything of a training run that saving sees, without training: weights and optimizer state that
// a test sets.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/folder_saver.h"
#include "checkpoint/resume.h"
#include "kit/kit_model.h"
#include "model/adapters/lora_placement.h"
#include "model/description/decoder.h"
#include "model/families/family.h"
#include "unit/formats/temporary_folder.h"

namespace hone::checkpoint {

struct RecordedLog final : LogSink {
  void line(Severity severity, std::string_view text) override {
    (severity == Severity::warning ? warnings : infos).emplace_back(text);
  }
  // All warnings, one a line.
  std::string warned() const {
    std::string text;
    for (const std::string& warning : warnings) text += warning + "\n";
    return text;
  }
  std::vector<std::string> infos, warnings;
};

// Two state arrays, as AdamW's.
struct FakeOptimizer final : optimizers::Optimizer {
  explicit FakeOptimizer(std::int64_t elements)
      : first(static_cast<std::size_t>(elements)), second(static_cast<std::size_t>(elements)) {}
  const BufferList& buffers() const override { return none; }
  std::vector<optimizers::StateArray> state() const override {
    const auto view = [](std::vector<float>& values) {
      return TensorView(values.data(), DType::f32, {static_cast<std::int64_t>(values.size())});
    };
    return {{"first_moment", view(first)}, {"second_moment", view(second)}};
  }
  void update(ops::OpContext&, const TensorView&, const ConstTensorView&,
              const optimizers::Update&) override {}

  BufferList none;
  mutable std::vector<float> first, second;
};

inline model::LoraOptions tiny_lora() {
  model::LoraOptions options;
  options.targets = {"q_proj", "v_proj"};
  options.rank = 2;
  options.alpha = 4.0;
  return options;
}

// A LoRA run on the kit's model.
struct TinyRun {
  explicit TinyRun(model::LoraOptions lora = tiny_lora())
      : options(lora), decoder(model::describe_model(kit::kit_config({}), "config.json")) {
    model::place_lora(decoder, options);
    layout = std::make_unique<FlatLayout>(decoder.registry);
    weights.resize(static_cast<std::size_t>(layout->elements()));
    optimizer = std::make_unique<FakeOptimizer>(layout->elements());
    facts.seed = 42;
    facts.data_seed = 7;
    facts.micro_step_tokens = 1536;
    facts.records = 10;
    facts.data_fingerprint = "0123456789abcdef";
    facts.settings = {{"learning_rate", "0.001"}};
  }

  // Values that only this step has.
  void pretend(std::int64_t step) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const float base = static_cast<float>(step) * 1000.0f + static_cast<float>(i);
      weights[i] = base + 0.125f;
      optimizer->first[i] = base + 0.25f;
      optimizer->second[i] = base + 0.5f;
    }
  }

  TensorView flat() {
    return TensorView(weights.data(), DType::f32, {static_cast<std::int64_t>(weights.size())});
  }

  ModelFiles files() { return adapter_files(decoder, options, "base", *layout, flat()); }

  FolderSaverOptions saving(const std::filesystem::path& folder) const {
    FolderSaverOptions saver;
    saver.output_dir = folder;
    saver.facts = facts;
    return saver;
  }

  SavedCheckpoint save(formats::FileSystem& system, const FolderSaverOptions& saver_options,
                       std::int64_t step) {
    pretend(step);
    FolderSaver saver(system, saver_options, files(), decoder.registry, *layout,
                      saved_arrays(*optimizer), log);
    return saver.save(
        {step, step, step * 100, "{\"global_step\": " + std::to_string(step) + "}\n"});
  }

  // The step whose weights and state a checkpoint holds, bit for bit; -1 for none.
  std::int64_t step_of(const Checkpoint& checkpoint) {
    const std::int64_t step = checkpoint.step();
    TinyRun loaded(options);
    load_weights(checkpoint, loaded.decoder.registry, *loaded.layout, loaded.flat());
    load_optimizer(checkpoint, *loaded.layout, *loaded.optimizer);
    pretend(step);
    const bool same = loaded.weights == weights && loaded.optimizer->first == optimizer->first &&
                      loaded.optimizer->second == optimizer->second &&
                      checkpoint.state.tokens_seen == step * 100;
    return same ? step : -1;
  }

  model::LoraOptions options;
  model::Decoder decoder;
  std::unique_ptr<FlatLayout> layout;
  std::vector<float> weights;
  std::unique_ptr<FakeOptimizer> optimizer;
  RunFacts facts;
  RecordedLog log;
};

}  // namespace hone::checkpoint
