// What every layer works with during one pass.
#pragma once

#include <cstdint>
#include <span>

#include "layers/adapter_set.h"
#include "ops/op_context.h"
#include "parameters/contracts.h"

namespace hone::layers {

struct LayerContext {
  ops::OpContext& ops;
  const ParameterRegistry& registry;
  ParameterSource& parameters;
  GradientSink* gradients = nullptr;     // null outside of training
  const AdapterSet* adapters = nullptr;  // null: the model without adapters

  // For adapter dropout, which happens in training only: the run's seed, and the key of each row
  // (ops/dropout.h). Empty keys: nothing is dropped.
  std::uint64_t dropout_seed = 0;
  std::span<const std::uint64_t> dropout_keys;

  const Adapter* adapter_of(ParameterId weight) const {
    return adapters == nullptr ? nullptr : adapters->find(weight);
  }
  // The gradient of a parameter, or an empty view when it is frozen or absent.
  TensorView gradient_of(ParameterId id) const {
    if (id == kNoParameter || gradients == nullptr || !registry.at(id).trainable) return {};
    return gradients->gradient(id);
  }
};

}  // namespace hone::layers
