// Root-mean-square normalisation over the last axis, fused with the residual addition before it.
//
//   sum = x + delta                     (delta absent: sum = x)
//   y   = sum * inv_rms * weight,       inv_rms = 1 / sqrt(mean(sum^2) + epsilon)
//
// Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019. Operands are [T, D], or
// [T, H, E] with the norm over E for query and key norms; inv_rms has the leading axes.
#pragma once

#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct RmsNormForward {
  static constexpr std::string_view kName = "rms_norm_forward";
  static constexpr auto kSlot = &OpTable::rms_norm_forward;

  ConstTensorView x;
  ConstTensorView delta;   // as x; may be absent
  ConstTensorView weight;  // [D]; a weight dtype
  double epsilon = 0.0;
  TensorView sum;      // as x; assigned; may be x or delta itself; absent when delta is absent
  TensorView y;        // as x; assigned; may be none of the others
  TensorView inv_rms;  // [T] or [T, H]; assigned
};

// With n = sum * inv_rms and g = d_y * weight:
//   d_x += inv_rms * (g - n * mean(g * n)),   d_weight += sum over rows of d_y * n.
// d_x is the gradient of `sum`, hence of x and of delta alike.
struct RmsNormBackward {
  static constexpr std::string_view kName = "rms_norm_backward";
  static constexpr auto kSlot = &OpTable::rms_norm_backward;

  ConstTensorView d_y;
  ConstTensorView x;  // what forward calls sum
  ConstTensorView weight;
  ConstTensorView inv_rms;
  TensorView d_x;  // accumulated, or assigned when `assign` is set; assigned, it may be d_y
  bool assign = false;
  TensorView d_weight;  // [D]; accumulated; absent when the weight is frozen
};

void check(const RmsNormForward& op);
void check(const RmsNormBackward& op);
Cost cost(const RmsNormForward& op);
Cost cost(const RmsNormBackward& op);

}  // namespace hone::ops
