#include "kernels/cpu/add_scaled.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/widen.h"

namespace hone::kernels::cpu {

void run(ops::OpContext& context, const ops::EmbeddingForward& op) {
  const std::int64_t width = op.out.columns();
  const auto* table = static_cast<const std::byte*>(op.table.raw());
  const auto row_bytes =
      op.table.row_stride() * static_cast<std::int64_t>(size_bytes(op.table.dtype()));
  parallel_ranges(
      context.threads, op.out.rows(), row_grain(width), [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t t = first; t < last; ++t) {
          const std::int64_t token = op.tokens[static_cast<std::size_t>(t)];
          widen(op.table.dtype(), table + token * row_bytes, width, op.out.row<float>(t));
        }
      });
}

namespace {

// Adds the rows of all tokens whose first occurrence in the order lies in [first, last): a token's
// rows are added by one thread, in the order of t.
void add_tokens(const ops::EmbeddingBackward& op, std::size_t first, std::size_t last) {
  const auto token_at = [&](std::size_t i) {
    return op.tokens[static_cast<std::size_t>(op.order_by_token[i])];
  };
  const std::size_t count = op.order_by_token.size();
  std::size_t i = first;
  while (i > 0 && i < count && token_at(i) == token_at(i - 1)) ++i;
  while (i < count && (i < last || token_at(i) == token_at(i - 1))) {
    const std::int32_t t = op.order_by_token[i];
    add_scaled(op.d_out.row<float>(t), 1.0f, op.d_table.row<float>(token_at(i)),
               op.d_out.columns());
    ++i;
  }
}

}  // namespace

void run(ops::OpContext& context, const ops::EmbeddingBackward& op) {
  parallel_ranges(context.threads, op.d_out.rows(), row_grain(op.d_out.columns()),
                  [&](std::int64_t first, std::int64_t last) {
                    add_tokens(op, static_cast<std::size_t>(first), static_cast<std::size_t>(last));
                  });
}

}  // namespace hone::kernels::cpu
