#include "ops/elementwise.h"

#include "kernels/gpu/cut.h"
#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

template <class From, class To>
struct CastKernel {
  static constexpr std::string_view kName = "cast";
  using Shared = NoShared;
  Operand<const From> from;
  Operand<To> to;
  FlatCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    cut.for_each(
        t, [&](std::int64_t i) { store(t, to, i, 0, narrowed<To>(widen(load(t, from, i)))); });
  }
};

struct AddScaledKernel {
  static constexpr std::string_view kName = "add_scaled";
  using Shared = NoShared;
  Operand<const float> x;
  Operand<float> y;
  float scale;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    store(t, y, row, column, load(t, y, row, column) + scale * load(t, x, row, column));
  }
};

void run(ops::OpContext& context, const ops::Cast& op) {
  const Launcher launcher(context, op.kName);
  const Shape flat = {op.from.elements()};
  const FlatCut cut(launcher, op.from.elements());
  with_stored_type(op.from.dtype(), [&]<class From>() {
    with_stored_type(op.to.dtype(), [&]<class To>() {
      launcher.launch(cut.blocks, cut.threads,
                      CastKernel<From, To>{launcher.reads<From>(op.from.reshape(flat), "from"),
                                           launcher.writes<To>(op.to.reshape(flat), "to"), cut});
    });
  });
}

void run(ops::OpContext& context, const ops::AddScaled& op) {
  const Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.y.columns());
  launcher.launch(
      op.y.rows() * cut.parts, cut.threads,
      AddScaledKernel{launcher.reads<float>(op.x, "x"), launcher.writes<float>(op.y, "y"),
                      static_cast<float>(op.scale), cut});
}

}  // namespace hone::kernels::gpu
