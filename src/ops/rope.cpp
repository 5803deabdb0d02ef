#include "ops/rope.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const Rope& op) {
  HONE_ASSERT(op.x.shape().rank() == 3 && op.x.shape()[2] % 2 == 0, op.x.shape().to_text());
  HONE_ASSERT(static_cast<std::int64_t>(op.positions.size()) == op.x.rows(), op.positions.size());
  HONE_OPERAND_SHAPE(op.cosines, op.cosines.rows(), op.x.shape()[2] / 2);
  HONE_ASSERT(op.sines.shape() == op.cosines.shape(), op.sines.shape().to_text());
}

Cost cost(const Rope& op) {
  return {3.0 * static_cast<double>(op.x.elements()), 2.0 * bytes_of(op.x)};
}

}  // namespace hone::ops
