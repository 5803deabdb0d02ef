#include "ops/adamw.h"

#include <cmath>

#include "kernels/gpu/cut.h"
#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu_kernels.h"
#include "kernels/gpu/philox.h"

namespace hone::kernels::gpu {

struct AdamWFactors {
  float gradient_scale;
  float decay;
  float one_minus_beta1;
  float beta2;
  float one_minus_beta2;
  float step_size;
  float inv_root_correction2;
  float epsilon;
  bool stochastic;
  std::uint64_t seed;
  std::uint64_t first_index;
};

// Rounds with sixteen random bits below what is kept; what is not finite takes none.
GPU_DEVICE BFloat16 stochastically(float value, std::uint32_t random) {
  const std::uint32_t bits = bits_of(value);
  if ((bits & 0x7f800000u) == 0x7f800000u) return narrowed<BFloat16>(value);
  return {static_cast<std::uint16_t>((bits + (random >> 16)) >> 16)};
}

GPU_DEVICE float rounded(float value, const AdamWFactors&, std::uint32_t, const float*) {
  return value;
}
GPU_DEVICE BFloat16 rounded(float value, const AdamWFactors& factors, std::uint32_t random,
                            const BFloat16*) {
  return factors.stochastic ? stochastically(value, random) : narrowed<BFloat16>(value);
}

template <class W, class S>
struct AdamWKernel {
  static constexpr std::string_view kName = "adamw";
  using Shared = NoShared;
  Operand<const float> gradient;
  Operand<W> weight;
  Operand<S> first;
  Operand<S> second;
  AdamWFactors f;
  FlatCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    cut.for_each(t, [&](std::int64_t i) { element(t, i); });
  }

  GPU_DEVICE void element(const Thread& t, std::int64_t i) const {
    const float g = f.gradient_scale * load(t, gradient, i);
    float w = widen(load(t, weight, i)) * f.decay;
    float m = widen(load(t, first, i));
    m += f.one_minus_beta1 * (g - m);
    const float v = f.beta2 * widen(load(t, second, i)) + f.one_minus_beta2 * g * g;
    w -= f.step_size * m / (sqrtf(v) * f.inv_root_correction2 + f.epsilon);
    RandomWords random = {};
    if (f.stochastic) {
      random = philox(f.seed, RandomStream::stochastic_rounding,
                      f.first_index + static_cast<std::uint64_t>(i), 0);
    }
    store(t, weight, i, 0, rounded(w, f, random.word[0], static_cast<const W*>(nullptr)));
    store(t, first, i, 0, rounded(m, f, random.word[1], static_cast<const S*>(nullptr)));
    store(t, second, i, 0, rounded(v, f, random.word[2], static_cast<const S*>(nullptr)));
  }
};

namespace {

AdamWFactors factors_of(const ops::AdamW& op) {
  const auto step = static_cast<double>(op.step);
  AdamWFactors f = {};
  f.gradient_scale = static_cast<float>(op.gradient_scale);
  f.decay = static_cast<float>(1.0 - op.learning_rate * op.weight_decay);
  f.one_minus_beta1 = static_cast<float>(1.0 - op.beta1);
  f.beta2 = static_cast<float>(op.beta2);
  f.one_minus_beta2 = static_cast<float>(1.0 - op.beta2);
  f.step_size = static_cast<float>(op.learning_rate / (1.0 - std::pow(op.beta1, step)));
  f.inv_root_correction2 = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(op.beta2, step)));
  f.epsilon = static_cast<float>(op.epsilon);
  f.stochastic = op.stochastic_rounding;
  f.seed = op.seed;
  f.first_index = (static_cast<std::uint64_t>(op.step) << 40) + op.first_element;
  return f;
}

template <class W, class S>
void run_as(const Launcher& launcher, const ops::AdamW& op) {
  const FlatCut cut(launcher, op.gradient.elements());
  launcher.launch(cut.blocks, cut.threads,
                  AdamWKernel<W, S>{launcher.reads<float>(op.gradient, "gradient"),
                                    launcher.writes<W>(op.weight, "weight"),
                                    launcher.writes<S>(op.first_moment, "first_moment"),
                                    launcher.writes<S>(op.second_moment, "second_moment"),
                                    factors_of(op), cut});
}

}  // namespace

void run(ops::OpContext& context, const ops::AdamW& op) {
  const Launcher launcher(context, op.kName);
  const bool narrow_weight = op.weight.dtype() == DType::bf16;
  const bool narrow_state = op.first_moment.dtype() == DType::bf16;
  if (narrow_weight && narrow_state) return run_as<BFloat16, BFloat16>(launcher, op);
  if (narrow_weight) return run_as<BFloat16, float>(launcher, op);
  if (narrow_state) return run_as<float, BFloat16>(launcher, op);
  run_as<float, float>(launcher, op);
}

}  // namespace hone::kernels::gpu
