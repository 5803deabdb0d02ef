// Bias of a linear layer: y[t] += bias, and its gradient d_bias += sum over t of d_y[t].
#pragma once

#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct BiasForward {
  static constexpr std::string_view kName = "bias_forward";
  static constexpr auto kSlot = &OpTable::bias_forward;

  ConstTensorView bias;  // [N]; a weight dtype
  TensorView y;          // [T, N]; accumulated
};

struct BiasBackward {
  static constexpr std::string_view kName = "bias_backward";
  static constexpr auto kSlot = &OpTable::bias_backward;

  ConstTensorView d_y;  // [T, N]
  TensorView d_bias;    // [N]; accumulated
};

void check(const BiasForward& op);
void check(const BiasBackward& op);
Cost cost(const BiasForward& op);
Cost cost(const BiasBackward& op);

}  // namespace hone::ops
