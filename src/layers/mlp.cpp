#include "layers/mlp.h"

#include <array>

#include "ops/swiglu.h"

namespace hone::layers {
void mlp_forward(LayerContext& context, const Mlp& mlp, const ConstTensorView& x,
                 const MlpSaved& saved, const MlpWork& work, const TensorView& out) {
  linear_forward(context, mlp.gate_up, x, saved.gate_up_h, std::array{saved.gate, saved.up});
  ops::run(context.ops,
           ops::SwiGluForward{.gate = saved.gate, .up = saved.up, .out = work.activation});
  linear_forward(context, mlp.down, work.activation, saved.down_h, std::array{out});
}

void mlp_backward(LayerContext& context, const Mlp& mlp, const ConstTensorView& x,
                  const MlpSaved& saved, const MlpWork& work, const ConstTensorView& d_out,
                  const TensorView& d_x) {
  // The activation is remade: cheaper than keeping it.
  ops::run(context.ops,
           ops::SwiGluForward{.gate = saved.gate, .up = saved.up, .out = work.activation});
  linear_backward(context, mlp.down,
                  {.x = work.activation,
                   .lora_h = saved.down_h,
                   .d_outputs = std::array{d_out},
                   .d_lora_h = work.d_lora_h,
                   .d_x = work.d_activation});
  ops::run(context.ops, ops::SwiGluBackward{.d_out = work.d_activation,
                                            .gate = saved.gate,
                                            .up = saved.up,
                                            .d_gate = saved.gate,
                                            .d_up = saved.up});
  linear_backward(context, mlp.gate_up,
                  {.x = x,
                   .lora_h = saved.gate_up_h,
                   .d_outputs = std::array{ConstTensorView(saved.gate), ConstTensorView(saved.up)},
                   .d_lora_h = work.d_lora_h,
                   .d_x = d_x});
}

}  // namespace hone::layers
