// Gated activation of the feed-forward part: out = silu(gate) * up, silu(z) = z / (1 + exp(-z)).
// Shazeer, "GLU Variants Improve Transformer", 2020.
#pragma once

#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct SwiGluForward {
  static constexpr std::string_view kName = "swiglu_forward";
  static constexpr auto kSlot = &OpTable::swiglu_forward;

  ConstTensorView gate;  // [T, F]
  ConstTensorView up;    // [T, F]
  TensorView out;        // [T, F]; assigned; may be gate or up itself
};

// d_gate = d_out * up * s (1 + gate (1 - s)),  d_up = d_out * gate * s,  s = 1 / (1 + exp(-gate))
struct SwiGluBackward {
  static constexpr std::string_view kName = "swiglu_backward";
  static constexpr auto kSlot = &OpTable::swiglu_backward;

  ConstTensorView d_out;
  ConstTensorView gate;
  ConstTensorView up;
  TensorView d_gate;  // assigned; may be gate itself
  TensorView d_up;    // assigned; may be up itself
};

void check(const SwiGluForward& op);
void check(const SwiGluBackward& op);
Cost cost(const SwiGluForward& op);
Cost cost(const SwiGluBackward& op);

}  // namespace hone::ops
