#include "ops/head.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const HeadStatistics& op) {
  const auto labels = static_cast<std::int64_t>(op.labels.size());
  HONE_OPERAND_SHAPE(op.logits, labels, op.logits.columns());
  HONE_OPERAND_SHAPE(op.log_probability, labels);
  HONE_OPERAND_SHAPE(op.log_sum_exp, labels);
}

void check(const HeadGradient& op) {
  const auto labels = static_cast<std::int64_t>(op.labels.size());
  HONE_OPERAND_SHAPE(op.logits, labels, op.logits.columns());
  HONE_OPERAND_SHAPE(op.log_sum_exp, labels);
  HONE_OPERAND_SHAPE(op.coefficient, labels);
}

Cost cost(const HeadStatistics& op) {
  return {4.0 * static_cast<double>(op.logits.elements()), bytes_of(op.logits)};
}

Cost cost(const HeadGradient& op) {
  return {4.0 * static_cast<double>(op.logits.elements()), 2.0 * bytes_of(op.logits)};
}

}  // namespace hone::ops
