// A model whose weights stay as they are, with its adapters: what generates and what is evaluated.
//
// Of several adapters all but the last are merged into the base, in their order; the last one stays
// beside it. That is the arithmetic that training saw, and nothing is rounded; weights stay mapped
// where they lie in the files, so that a tuned model starts as fast as its base.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/model_source.h"
#include "base/log_sink.h"
#include "layers/adapter_set.h"
#include "memory/arena.h"
#include "model/adapters/peft_adapter.h"
#include "model/description/decoder.h"
#include "model/weights/resident_weights.h"
#include "parameters/flat_layout.h"

namespace hone::assemble {

class FrozenModel {
 public:
  // `source` has weights. Opens the adapters; no weight is read yet. What is to be said of them
  // goes to `log`. Throws UserError for weights and adapters that do not fit the model.
  FrozenModel(ModelSource source, const std::vector<std::string>& adapters,
              const model::WeightPolicy& policy, LogSink& log);
  FrozenModel(const FrozenModel&) = delete;
  FrozenModel& operator=(const FrozenModel&) = delete;

  // Model and adapters: one line each.
  std::vector<std::string> summary() const;

  // Rows of the weights' memory; after the arena exists, load() reads them.
  void describe(Plan& plan) const { weights_->describe(plan); }
  void load(const Arena& arena, int threads);

  const ModelSource& source() const { return source_; }
  const model::Decoder& decoder() const { return decoder_; }
  const FlatLayout& layout() const { return *layout_; }
  const layers::AdapterSet* adapters() const { return adapters_ ? &*adapters_ : nullptr; }
  const model::ResidentWeights& weights() const { return *weights_; }
  ParameterSource& parameters() { return weights_->parameters(); }

 private:
  void open_adapters(LogSink& log);
  const model::WeightFiles& weight_files() const {
    return merged_.empty() ? *source_.weights : *merged_.back();
  }

  ModelSource source_;
  std::vector<std::string> adapter_paths_;
  model::Decoder decoder_;
  ParameterId base_size_;
  std::vector<std::unique_ptr<model::WeightFiles>> merged_;
  std::optional<model::PeftAdapter> attached_;
  std::optional<layers::AdapterSet> adapters_;
  std::unique_ptr<FlatLayout> layout_;
  std::unique_ptr<model::ResidentWeights> weights_;
};

}  // namespace hone::assemble
