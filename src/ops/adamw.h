// One AdamW step over a flat array (Loshchilov and Hutter, "Decoupled Weight Decay Regularization",
// 2019; the order of operations is torch.optim.AdamW's), fused with gradient scaling.
//
//   g = gradient_scale * gradient                     (clipping, un-scaling)
//   w = w * (1 - learning_rate * weight_decay)
//   m = m + (1 - beta1) (g - m)
//   v = beta2 v + (1 - beta2) g^2
//   w = w - (learning_rate / (1 - beta1^step)) * m / (sqrt(v) / sqrt(1 - beta2^step) + epsilon)
//
// Computed in f32. Weights and states stored as bf16 are rounded when written: stochastically when
// `stochastic_rounding` is set (up with probability of the remainder), to nearest even otherwise.
// The random bits of element i are the upper halves of the words of (seed, stochastic_rounding,
// index = step * 2^40 + first_element + i, lane 0), a word for each array (AdamWArray).
#pragma once

#include <cstdint>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct AdamW {
  static constexpr std::string_view kName = "adamw";
  static constexpr auto kSlot = &OpTable::adamw;

  ConstTensorView gradient;  // [n]
  TensorView weight;         // [n]; f32 or bf16 (or c128 with everything c128)
  TensorView first_moment;   // [n]; f32 or bf16
  TensorView second_moment;  // [n]; as first_moment
  double learning_rate = 0.0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0.0;
  double gradient_scale = 1.0;
  std::int64_t step = 1;  // from 1
  bool stochastic_rounding = false;
  std::uint64_t seed = 0;
  std::uint64_t first_element = 0;  // index of element 0 in the flat parameter space
};

// Which word of an element's random numbers rounds which array.
enum class AdamWArray : std::uint32_t { weight = 0, first_moment = 1, second_moment = 2 };

void check(const AdamW& op);
Cost cost(const AdamW& op);

}  // namespace hone::ops
