// The norm of all gradients where each rank has the sums of its own: every rank measures its
// segments, and all add all partial sums in order. The bits are those of one rank that has
// everything (optimizers/gradient_norm.h).
#pragma once

#include "memory/buffer_list.h"
#include "ops/op_context.h"
#include "parallel/sharding/step_gradients.h"

namespace hone::parallel {

class ShardedNorm {
 public:
  // References must outlive this object.
  ShardedNorm(const ShardMap& map, Collectives& collectives);
  ShardedNorm(const ShardedNorm&) = delete;
  ShardedNorm& operator=(const ShardedNorm&) = delete;

  const BufferList& buffers() const { return buffers_; }

  // After gradients.complete(). Not finite when any gradient is not.
  double measure(ops::OpContext& context, const StepGradients& gradients);

 private:
  const ShardMap& map_;
  Collectives& collectives_;
  BufferList buffers_;
  TensorView partials_;  // f64, of all segments
};

}  // namespace hone::parallel
