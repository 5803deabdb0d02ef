#include "ops/elementwise.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const Cast& op) {
  HONE_ASSERT(op.from.elements() == op.to.elements(), op.from.elements(), op.to.elements());
  HONE_ASSERT(op.from.contiguous() && op.to.contiguous());
}

void check(const AddScaled& op) {
  HONE_ASSERT(op.x.shape() == op.y.shape(), op.x.shape().to_text(), op.y.shape().to_text());
  HONE_OPERAND_DTYPE(op.x, op.y.dtype());
}

Cost cost(const Cast& op) {
  return {0.0, bytes_of(op.from) + bytes_of(op.to)};
}

Cost cost(const AddScaled& op) {
  return {2.0 * static_cast<double>(op.y.elements()), bytes_of(op.x) + 2.0 * bytes_of(op.y)};
}

}  // namespace hone::ops
