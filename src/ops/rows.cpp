#include "ops/rows.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const GatherRows& op) {
  HONE_OPERAND_SHAPE(op.y, static_cast<std::int64_t>(op.rows.size()), op.x.columns());
}

void check(const ScatterAddRows& op) {
  HONE_OPERAND_SHAPE(op.d_y, static_cast<std::int64_t>(op.rows.size()), op.d_x.columns());
}

Cost cost(const GatherRows& op) {
  return {0.0, 2.0 * bytes_of(op.y)};
}

Cost cost(const ScatterAddRows& op) {
  return {static_cast<double>(op.d_y.elements()), 3.0 * bytes_of(op.d_y)};
}

}  // namespace hone::ops
