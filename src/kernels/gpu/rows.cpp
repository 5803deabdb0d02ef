#include "ops/rows.h"

#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

struct GatherRowsKernel {
  static constexpr std::string_view kName = "gather_rows";
  using Shared = NoShared;
  Operand<const std::int32_t> rows;
  Operand<const float> x;
  Operand<float> y;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    store(t, y, row, column, load(t, x, load(t, rows, row), column));
  }
};

struct ScatterAddRowsKernel {
  static constexpr std::string_view kName = "scatter_add_rows";
  using Shared = NoShared;
  Operand<const std::int32_t> rows;
  Operand<const float> d_y;
  Operand<float> d_x;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const std::int32_t to = load(t, rows, row);
    store(t, d_x, to, column, load(t, d_x, to, column) + load(t, d_y, row, column));
  }
};

std::size_t scratch_bytes(const ops::OpContext&, const ops::GatherRows& op) {
  return space_bytes<std::int32_t>(op.y.rows());
}
std::size_t scratch_bytes(const ops::OpContext&, const ops::ScatterAddRows& op) {
  return space_bytes<std::int32_t>(op.d_y.rows());
}

void run(ops::OpContext& context, const ops::GatherRows& op) {
  Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.y.columns());
  launcher.launch(
      op.y.rows() * cut.parts, cut.threads,
      GatherRowsKernel{launcher.copied(op.rows, "rows"), launcher.reads<float>(op.x, "x"),
                       launcher.writes<float>(op.y, "y"), cut});
}

void run(ops::OpContext& context, const ops::ScatterAddRows& op) {
  Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.d_y.columns());
  launcher.launch(
      op.d_y.rows() * cut.parts, cut.threads,
      ScatterAddRowsKernel{launcher.copied(op.rows, "rows"), launcher.reads<float>(op.d_y, "d_y"),
                           launcher.writes<float>(op.d_x, "d_x"), cut});
}

}  // namespace hone::kernels::gpu
