#include "ops/rope.h"

#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

// A thread turns one pair; the columns of the cut are the pairs of all heads of a row.
struct RopeKernel {
  static constexpr std::string_view kName = "rope";
  using Shared = NoShared;
  Operand<const std::int32_t> positions;
  Operand<const float> cosines;
  Operand<const float> sines;
  Operand<float> x;
  std::int32_t half;
  float direction;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), pair = cut.column(t);
    if (pair >= cut.columns) return;
    const auto head = static_cast<std::int32_t>(pair) / half;
    const auto i = static_cast<std::int32_t>(pair) % half;
    const std::int32_t position = load(t, positions, row);
    const float cosine = load(t, cosines, position, i);
    const float sine = direction * load(t, sines, position, i);
    const std::int64_t at = std::int64_t{head} * 2 * half + i;
    const float low = load(t, x, row, at);
    const float high = load(t, x, row, at + half);
    store(t, x, row, at, low * cosine - high * sine);
    store(t, x, row, at + half, high * cosine + low * sine);
  }
};

std::size_t scratch_bytes(const ops::OpContext&, const ops::Rope& op) {
  return space_bytes<std::int32_t>(op.x.rows());
}

void run(ops::OpContext& context, const ops::Rope& op) {
  Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.x.columns() / 2);
  launcher.launch(
      op.x.rows() * cut.parts, cut.threads,
      RopeKernel{launcher.copied(op.positions, "positions"),
                 launcher.reads<float>(op.cosines, "cosines"),
                 launcher.reads<float>(op.sines, "sines"), launcher.writes<float>(op.x, "x"),
                 static_cast<std::int32_t>(op.x.shape()[2] / 2), op.inverse ? -1.0f : 1.0f, cut});
}

}  // namespace hone::kernels::gpu
