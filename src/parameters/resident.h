// The contracts for one rank that holds everything: weights where they lie, gradients in one flat
// f32 array.
#pragma once

#include <vector>

#include "parameters/contracts.h"
#include "parameters/flat_layout.h"

namespace hone {

class ResidentParameters final : public ParameterSource {
 public:
  explicit ResidentParameters(const ParameterRegistry& registry)
      : registry_(registry), views_(static_cast<std::size_t>(registry.size())) {}

  // Says where a parameter lies; every parameter needs a place before the walk asks for it.
  void place(ParameterId id, const ConstTensorView& view);

  void announce(Unit) override {}
  void acquire(Unit) override {}
  void release(Unit) override {}
  ConstTensorView get(ParameterId id) override;

 private:
  const ParameterRegistry& registry_;
  std::vector<ConstTensorView> views_;
};

class ResidentGradients final : public GradientSink {
 public:
  // `flat` is f32 [layout.elements()].
  ResidentGradients(const ParameterRegistry& registry, const FlatLayout& layout,
                    const TensorView& flat)
      : registry_(registry), layout_(layout), flat_(flat) {}

  TensorView gradient(ParameterId id) override;
  void finished(ParameterId) override {}

 private:
  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  TensorView flat_;
};

}  // namespace hone
