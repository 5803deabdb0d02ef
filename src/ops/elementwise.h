// Copies between dtypes, and scaled additions, over whole arrays.
#pragma once

#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

// to = from, converted; narrowing rounds to nearest even.
struct Cast {
  static constexpr std::string_view kName = "cast";
  static constexpr auto kSlot = &OpTable::cast;

  ConstTensorView from;  // f32, bf16 or f16; contiguous
  TensorView to;         // f32, bf16 or f16; as many elements; contiguous
};

// y += scale * x
struct AddScaled {
  static constexpr std::string_view kName = "add_scaled";
  static constexpr auto kSlot = &OpTable::add_scaled;

  ConstTensorView x;  // [T, D]
  double scale = 1.0;
  TensorView y;  // [T, D]; accumulated
};

void check(const Cast& op);
void check(const AddScaled& op);
Cost cost(const Cast& op);
Cost cost(const AddScaled& op);

}  // namespace hone::ops
