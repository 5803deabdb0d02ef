#include "ops/swiglu.h"

#include <cmath>

#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

GPU_DEVICE float sigmoid(float value) {
  return 1.0f / (1.0f + expf(-value));
}

struct SwiGluForwardKernel {
  static constexpr std::string_view kName = "swiglu_forward";
  using Shared = NoShared;
  Operand<const float> gate;
  Operand<const float> up;
  Operand<float> out;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const float g = load(t, gate, row, column);
    store(t, out, row, column, g * sigmoid(g) * load(t, up, row, column));
  }
};

struct SwiGluBackwardKernel {
  static constexpr std::string_view kName = "swiglu_backward";
  using Shared = NoShared;
  Operand<const float> d_out;
  Operand<const float> gate;
  Operand<const float> up;
  Operand<float> d_gate;
  Operand<float> d_up;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const float d = load(t, d_out, row, column);
    const float g = load(t, gate, row, column);
    const float u = load(t, up, row, column);
    const float s = sigmoid(g);
    store(t, d_gate, row, column, d * u * s * (1.0f + g * (1.0f - s)));
    store(t, d_up, row, column, d * g * s);
  }
};

void run(ops::OpContext& context, const ops::SwiGluForward& op) {
  const Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.gate.columns());
  launcher.launch(op.gate.rows() * cut.parts, cut.threads,
                  SwiGluForwardKernel{launcher.reads<float>(op.gate, "gate"),
                                      launcher.reads<float>(op.up, "up"),
                                      launcher.writes<float>(op.out, "out"), cut});
}

void run(ops::OpContext& context, const ops::SwiGluBackward& op) {
  const Launcher launcher(context, op.kName);
  const RowCut cut(launcher, op.gate.columns());
  launcher.launch(op.gate.rows() * cut.parts, cut.threads,
                  SwiGluBackwardKernel{launcher.reads<float>(op.d_out, "d_out"),
                                       launcher.reads<float>(op.gate, "gate"),
                                       launcher.reads<float>(op.up, "up"),
                                       launcher.writes<float>(op.d_gate, "d_gate"),
                                       launcher.writes<float>(op.d_up, "d_up"), cut});
}

}  // namespace hone::kernels::gpu
