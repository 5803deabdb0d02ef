// The feed-forward part of a block: down(silu(gate(x)) * up(x)).
#pragma once

#include "base/tensor_view.h"
#include "layers/linear.h"

namespace hone::layers {

struct Mlp {
  LinearGroup gate_up;  // two layers: gate, up
  LinearGroup down;     // one layer
};

// What forward saves, beside its input.
struct MlpSaved {
  TensorView gate;       // [T, F]; backward overwrites it
  TensorView up;         // [T, F]; backward overwrites it
  TensorView gate_up_h;  // [T, R]: LoRA's narrow values
  TensorView down_h;     // [T, R]
};

// Working space of both directions.
struct MlpWork {
  TensorView activation;    // [T, F]
  TensorView d_activation;  // [T, F]; backward only
  TensorView d_lora_h;      // [T, largest R of the block]; backward only
};

// x [T, D] -> out [T, D], assigned.
void mlp_forward(LayerContext& context, const Mlp& mlp, const ConstTensorView& x,
                 const MlpSaved& saved, const MlpWork& work, const TensorView& out);

// d_out [T, D] -> d_x [T, D], assigned (absent when nothing below is trained). x is forward's
// input.
void mlp_backward(LayerContext& context, const Mlp& mlp, const ConstTensorView& x,
                  const MlpSaved& saved, const MlpWork& work, const ConstTensorView& d_out,
                  const TensorView& d_x);

}  // namespace hone::layers
