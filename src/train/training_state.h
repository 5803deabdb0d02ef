// Everything that a training run owns on one rank once its memory is there.
#pragma once

#include <cstdint>

#include "layers/adapter_set.h"
#include "losses/token_loss.h"
#include "memory/buffer_list.h"
#include "model/description/decoder.h"
#include "model/forward_backward/walk.h"
#include "ops/op_context.h"
#include "optimizers/gradient_norm.h"
#include "optimizers/optimizer.h"
#include "parameters/flat_layout.h"
#include "parameters/resident.h"
#include "train/step_ranks.h"

namespace hone::train {

// The gradients of a run, and their norm.
class Gradients {
 public:
  Gradients(const ParameterRegistry& registry, const FlatLayout& layout);
  Gradients(const Gradients&) = delete;
  Gradients& operator=(const Gradients&) = delete;

  void describe(Plan& plan) const;
  void bind(const Arena& arena);

  const TensorView& flat() const { return flat_; }
  GradientSink& sink() { return *sink_; }
  void clear(Device& device) const { device.fill_zero(flat_.raw(), flat_.bytes()); }
  double norm(ops::OpContext& ops) { return norm_.measure(ops, flat_); }

 private:
  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  BufferList buffers_;
  TensorView flat_;
  optimizers::GradientNorm norm_;
  std::unique_ptr<ResidentGradients> sink_;
};

// References into what assemble built; the loop changes weights, gradients and optimizer state
// through `ranks`.
struct TrainingState {
  const model::Decoder& decoder;
  StepRanks& ranks;
  model::Walk& walk;
  const losses::TokenLoss& loss;
  ops::OpContext& ops;
};

}  // namespace hone::train
