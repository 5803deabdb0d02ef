#include "ops/squared_norm.h"

#include "kernels/gpu/block_sum.h"
#include "kernels/gpu/gpu_kernels.h"
#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {

// A block sums one segment.
template <int kWaveWidth>
struct SquaredNormKernel {
  static constexpr std::string_view kName = "squared_norm";
  static constexpr int kWave = kWaveWidth;
  struct Shared {
    WaveParts<double> parts;
  };
  Operand<const float> x;
  Operand<double> partials;
  std::int64_t count;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    constexpr std::int64_t kSegment = ops::SquaredNorm::kSegmentElements;
    const std::int64_t first = t.block() * kSegment;
    const std::int64_t last = first + kSegment < count ? first + kSegment : count;
    double sum = 0.0;
    for (std::int64_t i = first + t.index(); i < last; i += t.threads()) {
      const double value = load(t, x, i);
      sum += value * value;
    }
    sum = block_sum<kWave>(t, shared.parts, sum);
    if (t.index() == 0) store(t, partials, t.block(), 0, sum);
  }
};

void run(ops::OpContext& context, const ops::SquaredNorm& op) {
  const Launcher launcher(context, op.kName);
  const auto x = launcher.reads<float>(op.x, "x");
  const auto partials = launcher.writes<double>(op.partials, "partials");
  launcher.launch_by_wave(op.partials.elements(), launcher.card().block_threads, [&]<int kWave>() {
    return SquaredNormKernel<kWave>{x, partials, op.x.elements()};
  });
}

}  // namespace hone::kernels::gpu
