#include "assemble/frozen_model.h"

#include <fmt/format.h>

#include <utility>

#include "model/adapters/merged_weights.h"

namespace hone::assemble {

FrozenModel::FrozenModel(ModelSource source, const std::vector<std::string>& adapters,
                         const model::WeightPolicy& policy, LogSink& log)
    : source_(std::move(source)),
      adapter_paths_(adapters),
      decoder_(source_.description),
      base_size_(decoder_.registry.size()) {
  model::check_weights(decoder_.registry, base_size_, *source_.weights);
  open_adapters(log);
  layout_ = std::make_unique<FlatLayout>(decoder_.registry);
  weights_ = std::make_unique<model::ResidentWeights>(decoder_, base_size_, *layout_,
                                                      weight_files(), policy);
}

void FrozenModel::open_adapters(LogSink& log) {
  std::vector<std::string> paths = adapter_paths_;
  if (paths.empty()) return;
  attached_.emplace(paths.back());
  paths.pop_back();
  for (const std::string& path : paths) {
    model::PeftAdapter adapter(path);
    for (const std::string& note : adapter.notes()) log.warning(note);
    merged_.push_back(
        model::merge_adapter(weight_files(), std::move(adapter), source_.description));
  }
  for (const std::string& note : attached_->notes()) log.warning(note);
  adapters_ = model::place_lora(decoder_, attached_->options_for(decoder_));
  attached_->check(decoder_.registry);
}

std::vector<std::string> FrozenModel::summary() const {
  const model::ModelDescription& model = decoder_.description;
  std::vector<std::string> lines;
  lines.push_back(fmt::format("model: {} ({}), {} blocks of width {}", source_.path.string(),
                              model.architecture, model.blocks, model.hidden));
  for (std::size_t i = 0; i < adapter_paths_.size(); ++i) {
    lines.push_back(fmt::format("adapter: {}{}", adapter_paths_[i],
                                i + 1 < adapter_paths_.size() ? ", merged into the model" : ""));
  }
  return lines;
}

void FrozenModel::load(const Arena& arena, int threads) {
  weights_->load(arena, threads);
  if (attached_) attached_->load(decoder_.registry, *layout_, weights_->trainable());
}

}  // namespace hone::assemble
