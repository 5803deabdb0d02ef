// Optimizers over the flat space of trainable parameters (parameters/flat_layout.h).
//
// An optimizer sees arrays, roles and groups, never names: weights, gradients and its own state are
// flat arrays of the same length, and segments say what differs along them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "memory/buffer_list.h"
#include "memory/done_with.h"
#include "ops/op_context.h"
#include "parameters/flat_layout.h"

namespace hone::optimizers {

// A run of neighbouring elements that are updated alike. `first` is its place in the optimizer's
// own arrays; the offsets are what to add for its place in the arrays that update() is given and in
// the flat space: all 0 on a rank that holds everything.
struct Segment {
  std::int64_t first = 0;
  std::int64_t elements = 0;
  double weight_decay = 0.0;
  std::int64_t weights_offset = 0;
  std::int64_t gradients_offset = 0;
  std::int64_t flat_offset = 0;

  bool operator==(const Segment&) const = default;
};

// The segments of a layout: norms and biases do not decay, everything else does (transformers'
// standard parameter groups). Neighbours with the same decay are joined.
std::vector<Segment> decay_segments(const ParameterRegistry& registry, const FlatLayout& layout,
                                    double weight_decay);

// A run of the flat space that an optimizer is to update.
struct HeldRun {
  std::int64_t first = 0;
  std::int64_t elements = 0;
};

// What is left of `segments` (of the whole space) where only these runs, in rising order, are
// updated. The state is kept for them alone, end to end; update() gets weights and gradients either
// whole, or held in the same way as the state.
std::vector<Segment> held_segments(const std::vector<Segment>& segments,
                                   std::span<const HeldRun> held, bool whole_weights,
                                   bool whole_gradients);

// The same in pieces of at most so many elements.
std::vector<Segment> in_pieces(const std::vector<Segment>& segments, std::int64_t elements);

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

  // Who is told, piece by piece, of state and weights that an update is done with.
  void tell(DoneWith done_with) { done_with_ = std::move(done_with); }

  // State that the optimizer needs: described into the plan and bound by the owner.
  virtual const BufferList& buffers() const = 0;

  // All state beside the step number; valid once bound.
  virtual std::vector<StateArray> state() const = 0;

  // Updates `weights` from `gradients`, f32, where the segments say; the gradients stay as they
  // are.
  virtual void update(ops::OpContext& context, const TensorView& weights,
                      const ConstTensorView& gradients, const Update& update) = 0;

 protected:
  DoneWith done_with_;
};

}  // namespace hone::optimizers
