// Cross-entropy over a chunk of logits, one row per label.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

// log_sum_exp[i] = log sum over v of exp(logits[i][v]);
// log_probability[i] = logits[i][labels[i]] - log_sum_exp[i].
struct HeadStatistics {
  static constexpr std::string_view kName = "head_statistics";
  static constexpr auto kSlot = &OpTable::head_statistics;

  ConstTensorView logits;                // [L, V]
  std::span<const std::int32_t> labels;  // [L], each in [0, V)
  TensorView log_probability;            // [L]; assigned
  TensorView log_sum_exp;                // [L]; assigned
};

// d_logits[i][v] = coefficient[i] * (p[i][v] - [v == labels[i]]), p = exp(logits - log_sum_exp):
// the gradient of sum over i of -coefficient[i] * log_probability[i]. In place of the logits.
struct HeadGradient {
  static constexpr std::string_view kName = "head_gradient";
  static constexpr auto kSlot = &OpTable::head_gradient;

  std::span<const std::int32_t> labels;  // [L]
  ConstTensorView log_sum_exp;           // [L]
  ConstTensorView coefficient;           // [L]
  TensorView logits;                     // [L, V]; in: logits, out: their gradient
};

void check(const HeadStatistics& op);
void check(const HeadGradient& op);
Cost cost(const HeadStatistics& op);
Cost cost(const HeadGradient& op);

}  // namespace hone::ops
