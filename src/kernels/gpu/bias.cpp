#include "ops/bias.h"

#include "kernels/gpu/column_sum.h"
#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

template <class W>
struct BiasForwardKernel {
  static constexpr std::string_view kName = "bias_forward";
  using Shared = NoShared;
  Operand<const W> bias;
  Operand<float> y;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    store(t, y, row, column, load(t, y, row, column) + widen(load(t, bias, column)));
  }
};

// Rows of a partial sum.
constexpr std::int64_t kBiasRows = 64;

struct BiasPartialsKernel {
  static constexpr std::string_view kName = "bias_partials";
  using Shared = NoShared;
  Operand<const float> d_y;
  Operand<float> partials;  // [blocks of rows, columns]
  std::int64_t rows;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t part = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const std::int64_t first = part * kBiasRows;
    float sum = 0.0f;
    for (std::int64_t row = first; row < first + kBiasRows && row < rows; ++row) {
      sum += load(t, d_y, row, column);
    }
    store(t, partials, part, column, sum);
  }
};

void run(ops::OpContext& context, const ops::BiasForward& op) {
  const Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.y.columns());
  with_stored_type(op.bias.dtype(), [&]<class W>() {
    launcher.launch(op.y.rows() * cut.parts, cut.threads,
                    BiasForwardKernel<W>{launcher.reads<W>(op.bias, "bias"),
                                         launcher.writes<float>(op.y, "y"), cut});
  });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::BiasBackward& op) {
  return space_bytes<float>(parts_of(op.d_y.rows(), kBiasRows) * op.d_y.columns());
}

void run(ops::OpContext& context, const ops::BiasBackward& op) {
  Launcher launcher(context, op.kName);
  const std::int64_t columns = op.d_y.columns();
  const std::int64_t blocks = parts_of(op.d_y.rows(), kBiasRows);
  const auto partials = launcher.space<float>(blocks, columns, "partials");
  const RowCut cut(launcher, columns);
  launcher.launch(
      blocks * cut.parts, cut.threads,
      BiasPartialsKernel{launcher.reads<float>(op.d_y, "d_y"), partials, op.d_y.rows(), cut});
  add_columns(launcher, partials, blocks, launcher.writes<float>(op.d_bias, "d_bias"), columns);
}

}  // namespace hone::kernels::gpu
