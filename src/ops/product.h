// Matrix product: c = a' b' or c += a' b', where ' is an optional transpose.
//
// Rows may be strided in every operand. b may be stored as bf16 or f16 when a and c are f32: it is
// widened exactly, the sums are f32.
#pragma once

#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct Product {
  static constexpr std::string_view kName = "product";
  static constexpr auto kSlot = &OpTable::product;

  ConstTensorView a;  // [M, K], or [K, M] with transpose_a
  ConstTensorView b;  // [K, N], or [N, K] with transpose_b
  TensorView c;       // [M, N]
  bool transpose_a = false;
  bool transpose_b = false;
  bool accumulate = false;  // add to c instead of assigning it
};

struct ProductExtents {
  std::int64_t m, n, k;
};
ProductExtents extents(const Product& op);

void check(const Product& op);
Cost cost(const Product& op);

}  // namespace hone::ops
