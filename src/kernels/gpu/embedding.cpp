#include "ops/embedding.h"

#include "kernels/gpu/cut.h"
#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

template <class W>
struct EmbeddingForwardKernel {
  static constexpr std::string_view kName = "embedding_forward";
  using Shared = NoShared;
  Operand<const std::int32_t> tokens;
  Operand<const W> table;
  Operand<float> out;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    store(t, out, row, column, widen(load(t, table, load(t, tokens, row), column)));
  }
};

// A block for each place in order_by_token; the first of a run of equal tokens adds up the whole
// run, so that a row of the table belongs to one block and is added to in the order of t.
struct EmbeddingBackwardKernel {
  static constexpr std::string_view kName = "embedding_backward";
  using Shared = NoShared;
  Operand<const std::int32_t> tokens;
  Operand<const std::int32_t> order;
  Operand<const float> d_out;
  Operand<float> d_table;
  std::int64_t count;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t first = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const std::int32_t token = load(t, tokens, load(t, order, first));
    if (first > 0 && load(t, tokens, load(t, order, first - 1)) == token) return;
    float sum = load(t, d_table, token, column);
    for (std::int64_t i = first; i < count; ++i) {
      const std::int32_t from = load(t, order, i);
      if (load(t, tokens, from) != token) break;
      sum += load(t, d_out, from, column);
    }
    store(t, d_table, token, column, sum);
  }
};

std::size_t scratch_bytes(const ops::OpContext&, const ops::EmbeddingForward& op) {
  return space_bytes<std::int32_t>(op.out.rows());
}

void run(ops::OpContext& context, const ops::EmbeddingForward& op) {
  Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.out.columns());
  const auto tokens = launcher.copied(op.tokens, "tokens");
  with_stored_type(op.table.dtype(), [&]<class W>() {
    launcher.launch(op.out.rows() * cut.parts, cut.threads,
                    EmbeddingForwardKernel<W>{tokens, launcher.reads<W>(op.table, "table"),
                                              launcher.writes<float>(op.out, "out"), cut});
  });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::EmbeddingBackward& op) {
  return 2 * space_bytes<std::int32_t>(op.d_out.rows());
}

void run(ops::OpContext& context, const ops::EmbeddingBackward& op) {
  Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.d_out.columns());
  const auto tokens = launcher.copied(op.tokens, "tokens");
  const auto order = launcher.copied(op.order_by_token, "order_by_token");
  launcher.launch(
      op.d_out.rows() * cut.parts, cut.threads,
      EmbeddingBackwardKernel{tokens, order, launcher.reads<float>(op.d_out, "d_out"),
                              launcher.writes<float>(op.d_table, "d_table"), op.d_out.rows(), cut});
}

}  // namespace hone::kernels::gpu
