#include "layers/norm.h"

#include "ops/rms_norm.h"

namespace hone::layers {

void norm_forward(LayerContext& context, const Norm& norm, const ConstTensorView& x,
                  const ConstTensorView& delta, const TensorView& sum, const TensorView& y,
                  const TensorView& inv_rms) {
  ops::run(context.ops, ops::RmsNormForward{.x = x,
                                            .delta = delta,
                                            .weight = context.parameters.get(norm.weight),
                                            .epsilon = norm.epsilon,
                                            .sum = delta.present() ? sum : TensorView(),
                                            .y = y,
                                            .inv_rms = inv_rms});
}

void norm_backward(LayerContext& context, const Norm& norm, const ConstTensorView& d_y,
                   const ConstTensorView& sum, const ConstTensorView& inv_rms,
                   const TensorView& d_x, bool assign) {
  ops::run(context.ops, ops::RmsNormBackward{.d_y = d_y,
                                             .x = sum,
                                             .weight = context.parameters.get(norm.weight),
                                             .inv_rms = inv_rms,
                                             .d_x = d_x,
                                             .assign = assign,
                                             .d_weight = context.gradient_of(norm.weight)});
}

}  // namespace hone::layers
