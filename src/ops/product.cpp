#include "ops/product.h"

#include "ops/operand_rules.h"

namespace hone::ops {

ProductExtents extents(const Product& op) {
  const Shape& a = op.a.shape();
  return {op.c.shape()[0], op.c.shape()[1], op.transpose_a ? a[0] : a[1]};
}

void check(const Product& op) {
  HONE_ASSERT(op.a.shape().rank() == 2 && op.b.shape().rank() == 2 && op.c.shape().rank() == 2);
  const auto [m, n, k] = extents(op);
  if (op.transpose_a) {
    HONE_OPERAND_SHAPE(op.a, k, m);
  } else {
    HONE_OPERAND_SHAPE(op.a, m, k);
  }
  if (op.transpose_b) {
    HONE_OPERAND_SHAPE(op.b, n, k);
  } else {
    HONE_OPERAND_SHAPE(op.b, k, n);
  }
  HONE_OPERAND_DTYPE(op.a, op.c.dtype());
  HONE_ASSERT(is_weight_dtype(op.b.dtype(), op.c.dtype()), name(op.b.dtype()));
}

Cost cost(const Product& op) {
  const auto [m, n, k] = extents(op);
  const double flops =
      2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  return {flops, bytes_of(op.a) + bytes_of(op.b) + bytes_of(op.c) * (op.accumulate ? 2.0 : 1.0)};
}

}  // namespace hone::ops
