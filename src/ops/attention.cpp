#include "ops/attention.h"

#include <algorithm>

#include "ops/operand_rules.h"

namespace hone::ops {
namespace {

void check_layout(const AttentionLayout& layout, std::int64_t query_rows, std::int64_t key_rows) {
  const std::size_t sequences = layout.key_starts.size();
  HONE_ASSERT(layout.key_lengths.size() == sequences, layout.key_lengths.size(), sequences);
  HONE_ASSERT(layout.window >= 0, layout.window);
  if (layout.query_starts.empty() && sequences == 0) return;
  HONE_ASSERT(layout.query_starts.size() == sequences + 1, layout.query_starts.size(), sequences);
  HONE_ASSERT(layout.query_starts.front() == 0 && layout.query_starts.back() == query_rows,
              layout.query_starts.back(), query_rows);
  for (std::size_t s = 0; s < sequences; ++s) {
    const std::int64_t queries = layout.query_starts[s + 1] - layout.query_starts[s];
    HONE_ASSERT(queries >= 0 && layout.key_lengths[s] >= queries, s, queries,
                layout.key_lengths[s]);
    HONE_ASSERT(layout.key_starts[s] >= 0 &&
                    layout.key_starts[s] + std::int64_t{layout.key_lengths[s]} <= key_rows,
                s, layout.key_starts[s], layout.key_lengths[s], key_rows);
  }
}

void check_heads(const ConstTensorView& q, const ConstTensorView& k, const ConstTensorView& v) {
  HONE_ASSERT(q.shape().rank() == 3 && k.shape().rank() == 3, q.shape().to_text(),
              k.shape().to_text());
  HONE_ASSERT(v.shape() == k.shape(), v.shape().to_text(), k.shape().to_text());
  HONE_ASSERT(q.shape()[2] == k.shape()[2] && q.shape()[1] % k.shape()[1] == 0, q.shape().to_text(),
              k.shape().to_text());
}

// Pairs of query and key that are multiplied, summed over sequences.
double visible_pairs(const AttentionLayout& layout) {
  double pairs = 0.0;
  for (std::size_t s = 0; s < layout.key_starts.size(); ++s) {
    const std::int64_t queries = layout.query_starts[s + 1] - layout.query_starts[s];
    for (std::int64_t i = 0; i < queries; ++i) {
      const std::int64_t seen = layout.key_lengths[s] - queries + i + 1;
      pairs += static_cast<double>(layout.window > 0 ? std::min(seen, layout.window) : seen);
    }
  }
  return pairs;
}

}  // namespace

void check(const AttentionForward& op) {
  check_heads(op.q, op.k, op.v);
  check_layout(op.layout, op.q.rows(), op.k.rows());
  HONE_ASSERT(op.out.shape() == op.q.shape(), op.out.shape().to_text());
  HONE_OPERAND_SHAPE(op.log_sum_exp, op.q.shape()[0], op.q.shape()[1]);
}

void check(const AttentionBackward& op) {
  check_heads(op.q, op.k, op.v);
  check_layout(op.layout, op.q.rows(), op.k.rows());
  HONE_ASSERT(op.q.rows() == op.k.rows(), op.q.rows(), op.k.rows());
  for (const ConstTensorView& operand : {op.d_out, op.out, ConstTensorView(op.d_q)}) {
    HONE_ASSERT(operand.shape() == op.q.shape(), operand.shape().to_text());
  }
  HONE_ASSERT(op.d_k.shape() == op.k.shape(), op.d_k.shape().to_text());
  HONE_ASSERT(op.d_v.shape() == op.v.shape(), op.d_v.shape().to_text());
  HONE_OPERAND_SHAPE(op.log_sum_exp, op.q.shape()[0], op.q.shape()[1]);
}

Cost cost(const AttentionForward& op) {
  const double width = static_cast<double>(op.q.columns());
  return {4.0 * visible_pairs(op.layout) * width,
          2.0 * bytes_of(op.q) + bytes_of(op.k) + bytes_of(op.v)};
}

Cost cost(const AttentionBackward& op) {
  const double width = static_cast<double>(op.q.columns());
  return {10.0 * visible_pairs(op.layout) * width,
          4.0 * bytes_of(op.q) + 2.0 * bytes_of(op.k) + 2.0 * bytes_of(op.v)};
}

}  // namespace hone::ops
