// The norm before a part of the block, with the residual addition that precedes it.
#pragma once

#include "base/tensor_view.h"
#include "layers/layer_context.h"

namespace hone::layers {

struct Norm {
  ParameterId weight = kNoParameter;  // [D]
  double epsilon = 1e-6;
};

// sum = x + delta (when delta is present), y = norm(sum). Saved: sum and inv_rms.
void norm_forward(LayerContext& context, const Norm& norm, const ConstTensorView& x,
                  const ConstTensorView& delta, const TensorView& sum, const TensorView& y,
                  const TensorView& inv_rms);

// d_x += the gradient through the norm of d_y; the weight's gradient is accumulated into the sink.
// With `assign`, d_x is assigned instead.
void norm_backward(LayerContext& context, const Norm& norm, const ConstTensorView& d_y,
                   const ConstTensorView& sum, const ConstTensorView& inv_rms,
                   const TensorView& d_x, bool assign = false);

}  // namespace hone::layers
