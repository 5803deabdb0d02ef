#include "ops/head.h"

#include <cfloat>
#include <cmath>

#include "kernels/gpu/block_sum.h"
#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

// Sum of exponentials over their largest so far. Starts at the lowest finite number, so that no
// difference of infinities arises; a NaN among the logits reaches the sum.
struct ExpSum {
  float largest = -FLT_MAX;
  float sum = 0.0f;

  GPU_DEVICE void add(float logit) {
    if (logit > largest) {
      sum = sum * expf(largest - logit) + 1.0f;
      largest = logit;
    } else {
      sum += expf(logit - largest);
    }
  }
  GPU_DEVICE void add(const ExpSum& other) {
    const float both = other.largest > largest ? other.largest : largest;
    sum = sum * expf(largest - both) + other.sum * expf(other.largest - both);
    largest = both;
  }
};

// A block for each row, which it reads once.
template <int kWaveWidth>
struct HeadStatisticsKernel {
  static constexpr std::string_view kName = "head_statistics";
  static constexpr int kWave = kWaveWidth;
  struct Shared {
    WaveParts<float> largest;
    WaveParts<float> sums;
  };
  Operand<const float> logits;
  Operand<const std::int32_t> labels;
  Operand<float> log_probability;
  Operand<float> log_sum_exp;
  std::int64_t vocabulary;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const std::int64_t row = t.block();
    ExpSum own;
    for (std::int64_t v = t.index(); v < vocabulary; v += t.threads()) {
      own.add(load(t, logits, row, v));
    }
    for (int mask = kWave / 2; mask > 0; mask /= 2) {
      const ExpSum other = {t.exchange_xor<kWave>(own.largest, mask),
                            t.exchange_xor<kWave>(own.sum, mask)};
      own.add(other);
    }
    if (t.index() % kWave == 0) {
      shared.largest[t.index() / kWave] = own.largest;
      shared.sums[t.index() / kWave] = own.sum;
    }
    t.barrier();
    if (t.index() != 0) return;
    for (int wave = 1; wave < t.threads() / kWave; ++wave) {
      own.add(ExpSum{shared.largest[wave], shared.sums[wave]});
    }
    const float log_sum = own.largest + logf(own.sum);
    store(t, log_sum_exp, row, 0, log_sum);
    store(t, log_probability, row, 0, load(t, logits, row, load(t, labels, row)) - log_sum);
  }
};

// A block for each row: what belongs to the row is read once by a thread.
struct HeadGradientKernel {
  static constexpr std::string_view kName = "head_gradient";
  using Shared = NoShared;
  Operand<const std::int32_t> labels;
  Operand<const float> log_sum_exp;
  Operand<const float> coefficient;
  Operand<float> logits;
  std::int64_t vocabulary;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = t.block();
    const std::int32_t label = load(t, labels, row);
    const float log_sum = load(t, log_sum_exp, row);
    const float factor = load(t, coefficient, row);
    for (std::int64_t v = t.index(); v < vocabulary; v += t.threads()) {
      const float p = expf(load(t, logits, row, v) - log_sum);
      store(t, logits, row, v, factor * (p - (v == label ? 1.0f : 0.0f)));
    }
  }
};

std::size_t scratch_bytes(const ops::OpContext&, const ops::HeadStatistics& op) {
  return space_bytes<std::int32_t>(op.logits.rows());
}
std::size_t scratch_bytes(const ops::OpContext&, const ops::HeadGradient& op) {
  return space_bytes<std::int32_t>(op.logits.rows());
}

void run(ops::OpContext& context, const ops::HeadStatistics& op) {
  Launcher launcher(context, op.kName);
  const auto labels = launcher.copied(op.labels, "labels");
  launcher.launch_by_wave(
      op.logits.rows(), launcher.threads_for(op.logits.columns()), [&]<int kWave>() {
        return HeadStatisticsKernel<kWave>{
            launcher.reads<float>(op.logits, "logits"), labels,
            launcher.writes<float>(op.log_probability, "log_probability"),
            launcher.writes<float>(op.log_sum_exp, "log_sum_exp"), op.logits.columns()};
      });
}

void run(ops::OpContext& context, const ops::HeadGradient& op) {
  Launcher launcher(context, op.kName);
  launcher.launch(
      op.logits.rows(), launcher.threads_for(op.logits.columns()),
      HeadGradientKernel{launcher.copied(op.labels, "labels"),
                         launcher.reads<float>(op.log_sum_exp, "log_sum_exp"),
                         launcher.reads<float>(op.coefficient, "coefficient"),
                         launcher.writes<float>(op.logits, "logits"), op.logits.columns()});
}

}  // namespace hone::kernels::gpu
