// The norm of all gradients, and what was wrong when it is not a number.
#pragma once

#include <string>

#include "memory/buffer_list.h"
#include "ops/op_context.h"
#include "parameters/flat_layout.h"

namespace hone::optimizers {

class GradientNorm {
 public:
  explicit GradientNorm(std::int64_t elements);
  GradientNorm(const GradientNorm&) = delete;
  GradientNorm& operator=(const GradientNorm&) = delete;

  const BufferList& buffers() const { return buffers_; }

  // Square root of the sum, in f64 and in order, of the partial sums over fixed segments
  // (ops/squared_norm.h). Not finite when any gradient is not.
  double measure(ops::OpContext& context, const ConstTensorView& gradients);

 private:
  BufferList buffers_;
  TensorView partials_;
};

// The factor of torch.nn.utils.clip_grad_norm_: min(1, max_norm / (norm + 1e-6)); 1 when max_norm
// is not positive.
double clip_factor(double norm, double max_norm);

// The first parameter, in the order of the flat space, that has a non-finite value in `values` (f32
// or bf16); an empty string when all are finite.
std::string first_non_finite(const ParameterRegistry& registry, const FlatLayout& layout,
                             const ConstTensorView& values);

}  // namespace hone::optimizers
