#include "ops/squared_norm.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const SquaredNorm& op) {
  HONE_ASSERT(op.x.shape().rank() == 1 && op.x.contiguous(), op.x.shape().to_text());
  HONE_OPERAND_SHAPE(op.partials, segments(op.x.elements()));
}

Cost cost(const SquaredNorm& op) {
  return {2.0 * static_cast<double>(op.x.elements()), bytes_of(op.x)};
}

}  // namespace hone::ops
