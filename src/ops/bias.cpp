#include "ops/bias.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const BiasForward& op) {
  HONE_OPERAND_SHAPE(op.bias, op.y.shape()[1]);
  HONE_ASSERT(is_weight_dtype(op.bias.dtype(), op.y.dtype()), name(op.bias.dtype()));
}

void check(const BiasBackward& op) {
  HONE_OPERAND_SHAPE(op.d_bias, op.d_y.shape()[1]);
  HONE_OPERAND_DTYPE(op.d_bias, op.d_y.dtype());
}

Cost cost(const BiasForward& op) {
  return {static_cast<double>(op.y.elements()), 2.0 * bytes_of(op.y)};
}

Cost cost(const BiasBackward& op) {
  return {static_cast<double>(op.d_y.elements()), bytes_of(op.d_y)};
}

}  // namespace hone::ops
