#include "ops/embedding.h"

#include "ops/operand_rules.h"

namespace hone::ops {

void check(const EmbeddingForward& op) {
  const auto tokens = static_cast<std::int64_t>(op.tokens.size());
  HONE_OPERAND_SHAPE(op.out, tokens, op.table.columns());
  HONE_ASSERT(is_weight_dtype(op.table.dtype(), op.out.dtype()), name(op.table.dtype()));
}

void check(const EmbeddingBackward& op) {
  const auto tokens = static_cast<std::int64_t>(op.tokens.size());
  HONE_OPERAND_SHAPE(op.d_out, tokens, op.d_table.columns());
  HONE_ASSERT(op.order_by_token.size() == op.tokens.size(), op.order_by_token.size(), tokens);
  HONE_OPERAND_DTYPE(op.d_table, op.d_out.dtype());
}

Cost cost(const EmbeddingForward& op) {
  return {0.0, 2.0 * bytes_of(op.out)};
}

Cost cost(const EmbeddingBackward& op) {
  return {static_cast<double>(op.d_out.elements()), 3.0 * bytes_of(op.d_out)};
}

}  // namespace hone::ops
