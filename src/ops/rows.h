// Picking rows (label rows before the head) and putting their gradients back.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

// y[i] = x[rows[i]]
struct GatherRows {
  static constexpr std::string_view kName = "gather_rows";
  static constexpr auto kSlot = &OpTable::gather_rows;

  std::span<const std::int32_t> rows;  // [L], each in [0, T)
  ConstTensorView x;                   // [T, D]
  TensorView y;                        // [L, D]; assigned
};

// d_x[rows[i]] += d_y[i]; the rows differ from one another.
struct ScatterAddRows {
  static constexpr std::string_view kName = "scatter_add_rows";
  static constexpr auto kSlot = &OpTable::scatter_add_rows;

  std::span<const std::int32_t> rows;  // [L]
  ConstTensorView d_y;                 // [L, D]
  TensorView d_x;                      // [T, D]; accumulated
};

void check(const GatherRows& op);
void check(const ScatterAddRows& op);
Cost cost(const GatherRows& op);
Cost cost(const ScatterAddRows& op);

}  // namespace hone::ops
