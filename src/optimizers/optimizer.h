// Optimizers over the flat space of trainable parameters (parameters/flat_layout.h).
//
// An optimizer sees arrays, roles and groups, never names: weights, gradients and its own state are
// flat arrays of the same length, and segments say what differs along them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/buffer_list.h"
#include "ops/op_context.h"
#include "parameters/flat_layout.h"

namespace hone::optimizers {

// A run of neighbouring elements that are updated alike.
struct Segment {
  std::int64_t first = 0;
  std::int64_t elements = 0;
  double weight_decay = 0.0;

  bool operator==(const Segment&) const = default;
};

// The segments of a layout: norms and biases do not decay, everything else does (transformers'
// standard parameter groups). Neighbours with the same decay are joined.
std::vector<Segment> decay_segments(const ParameterRegistry& registry, const FlatLayout& layout,
                                    double weight_decay);

struct Update {
  std::int64_t step = 1;  // from 1
  double learning_rate = 0.0;
  double gradient_scale = 1.0;  // clipping
};

// A state array, for checkpoints.
struct StateArray {
  std::string name;  // "first_moment"
  TensorView values;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;

  // State that the optimizer needs: described into the plan and bound by the owner.
  virtual const BufferList& buffers() const = 0;

  // All state beside the step number; valid once bound.
  virtual std::vector<StateArray> state() const = 0;

  // Updates `weights` [n] from `gradients` [n], f32; the gradients stay as they are.
  virtual void update(ops::OpContext& context, const TensorView& weights,
                      const ConstTensorView& gradients, const Update& update) = 0;
};

}  // namespace hone::optimizers
