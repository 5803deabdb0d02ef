#include "model/weights/resident_weights.h"

#include <functional>

#include "base/for_each_index.h"

namespace hone::model {
namespace {

// Rows of frozen weights start on the boundary that vector loads like best.
constexpr std::int64_t kWeightAlignmentBytes = 64;

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + kWeightAlignmentBytes - 1) / kWeightAlignmentBytes * kWeightAlignmentBytes;
}

}  // namespace

ResidentWeights::ResidentWeights(const Decoder& decoder, ParameterId base_size,
                                 const FlatLayout& layout, const WeightFiles& files,
                                 const WeightPolicy& policy)
    : decoder_(decoder),
      base_size_(base_size),
      layout_(layout),
      files_(files),
      policy_(policy),
      parameters_(decoder.registry) {
  std::int64_t frozen_bytes = 0;
  for (ParameterId id = 0; id < base_size_; ++id) {
    const Parameter& parameter = decoder.registry.at(id);
    if (parameter.trainable) continue;
    const StoredWeight stored = *files.find(parameter.name);
    const bool narrowed = policy.frozen_as_bf16 && parameter.shape.rank() == 2;
    Frozen frozen{id, narrowed ? DType::bf16 : stored.dtype, false, 0};
    frozen.mapped = policy.map_frozen && stored.in_place && stored.dtype == frozen.dtype;
    const std::int64_t bytes =
        parameter.shape.elements() * static_cast<std::int64_t>(size_bytes(frozen.dtype));
    if (frozen.mapped) {
      mapped_bytes_ += static_cast<std::size_t>(bytes);
    } else {
      frozen.first = frozen_bytes;
      frozen_bytes += aligned(bytes);
    }
    frozen_parameters_.push_back(frozen);
  }
  if (frozen_bytes > 0) {
    buffers_.add(frozen_, "frozen weights", Category::weights, DType::u8, {frozen_bytes});
  }
  if (layout.elements() > 0 && policy.holds_trainable) {
    buffers_.add(trainable_, "trainable weights", Category::master_weights, policy.trainable,
                 {layout.elements()});
  }
}

DType ResidentWeights::dtype_of(ParameterId id) const {
  for (const Frozen& frozen : frozen_parameters_) {
    if (frozen.id == id) return frozen.dtype;
  }
  return policy_.trainable;
}

void ResidentWeights::describe(Plan& plan) const {
  buffers_.describe(plan);
  if (mapped_bytes_ > 0) {
    plan.add({"weights mapped from files", Category::weights, mapped_bytes_, Lifetime::run, true});
  }
}

TensorView ResidentWeights::trainable(ParameterId id) const {
  const FlatRange& range = layout_.range_of(id);
  return trainable_.slice(range.first, range.elements).reshape(decoder_.registry.at(id).shape);
}

void ResidentWeights::load(const Arena& arena, int threads) {
  buffers_.bind(arena);
  std::vector<std::function<void()>> jobs;
  for (const Frozen& frozen : frozen_parameters_) {
    const Parameter& parameter = decoder_.registry.at(frozen.id);
    if (frozen.mapped) {
      parameters_.place(frozen.id, files_.mapped(parameter.name));
      continue;
    }
    const TensorView to(static_cast<std::byte*>(frozen_.raw()) + frozen.first, frozen.dtype,
                        parameter.shape);
    parameters_.place(frozen.id, to);
    jobs.emplace_back([this, &parameter, to] { files_.read(parameter.name, to); });
  }
  for (const FlatRange& range : layout_.ranges()) {
    if (!policy_.holds_trainable) break;
    const TensorView to = trainable(range.id);
    parameters_.place(range.id, to);
    if (range.id >= base_size_) continue;
    const Parameter& parameter = decoder_.registry.at(range.id);
    jobs.emplace_back([this, &parameter, to] { files_.read(parameter.name, to); });
  }
  for_each_index(static_cast<std::int64_t>(jobs.size()), threads,
                 [&](std::int64_t i) { jobs[static_cast<std::size_t>(i)](); });
}

}  // namespace hone::model
