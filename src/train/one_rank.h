// The steps of a run that has one rank, which holds everything.
#pragma once

#include "train/step_ranks.h"
#include "train/training_state.h"

namespace hone::train {

class OneRank final : public StepRanks {
 public:
  // `weights` is flat; all references must outlive this object.
  OneRank(const ParameterRegistry& registry, const FlatLayout& layout, const TensorView& weights,
          Gradients& gradients, optimizers::Optimizer& optimizer)
      : registry_(registry),
        layout_(layout),
        weights_(weights),
        gradients_(gradients),
        optimizer_(optimizer) {}

  int rank() const override { return 0; }
  int ranks() const override { return 1; }
  GradientSink& sink() override { return gradients_.sink(); }
  void begin_step(Device& device) override { gradients_.clear(device); }
  void begin_pass(bool) override {}
  double sum(double mine) override { return mine; }
  void sum(std::span<double>) override {}
  double gradient_norm(ops::OpContext& ops) override { return gradients_.norm(ops); }
  void update(ops::OpContext& ops, const optimizers::Update& update) override {
    optimizer_.update(ops, weights_, gradients_.flat(), update);
  }
  double waited_seconds() const override { return 0.0; }
  std::string first_non_finite_gradient() const override {
    return optimizers::first_non_finite(registry_, layout_, gradients_.flat());
  }
  std::string first_non_finite_weight() const override {
    return optimizers::first_non_finite(registry_, layout_, weights_);
  }

 private:
  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  TensorView weights_;
  Gradients& gradients_;
  optimizers::Optimizer& optimizer_;
};

}  // namespace hone::train
