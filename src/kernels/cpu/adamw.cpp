#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/adamw.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <type_traits>

#include "kernels/cpu/adamw.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/philox-inl.h"
#include "kernels/cpu/widen-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// The random numbers of the elements from `index` on: a word for each of their arrays.
HWY_INLINE Philox rounding_numbers(const AdamWNumbers& n, std::uint64_t index) {
  const DU d;
  const VU low0 = hn::Set(d, static_cast<std::uint32_t>(index));
  const VU low = hn::Add(low0, hn::Iota(d, 0));
  const VU high0 = hn::Set(d, static_cast<std::uint32_t>(index >> 32));
  const VU high = hn::IfThenElse(hn::Lt(low, low0), hn::Add(high0, hn::Set(d, 1u)), high0);
  const auto stream = static_cast<std::uint32_t>(RandomStream::stochastic_rounding);
  return philox(low, high, hn::Zero(d), hn::Set(d, stream), static_cast<std::uint32_t>(n.seed),
                static_cast<std::uint32_t>(n.seed >> 32));
}

HWY_INLINE void store_state(const AdamWNumbers&, VU, VF v, float* p) {
  narrow(v, p);
}

// `random` lies in the upper half of each lane.
HWY_INLINE void store_state(const AdamWNumbers& n, VU random, VF v, BFloat16* p) {
  if (!n.stochastic) {
    narrow(v, p);
    return;
  }
  // Infinities and NaN are cut or rounded as to_bfloat16 does: no noise may carry into them.
  HWY_ALIGN BFloat16 rounded[kMaxLanes];
  narrow(v, rounded);
  const DU d;
  const VU bits = hn::BitCast(d, v);
  const VU noisy = hn::Add(bits, hn::ShiftRight<16>(random));
  const VU exponent = hn::Set(d, 0x7f800000u);
  const auto special = hn::Eq(hn::And(bits, exponent), exponent);
  const VU kept = hn::BitCast(d, widen(rounded));
  store_upper_halves(hn::IfThenElse(special, kept, noisy), p);
}

template <class W, class S>
HWY_INLINE void adamw_vector(const AdamWNumbers& n, std::uint64_t index, const float* gradient,
                             W* weight, S* first, S* second) {
  const DF d;
  const VF g = hn::Mul(hn::Set(d, n.gradient_scale), hn::LoadU(d, gradient));
  VF w = hn::Mul(widen(weight), hn::Set(d, n.decay));
  VF m = widen(first);
  m = hn::MulAdd(hn::Set(d, n.one_minus_beta1), hn::Sub(g, m), m);
  VF v = hn::Mul(hn::Set(d, n.beta2), widen(second));
  v = hn::MulAdd(hn::Mul(hn::Set(d, n.one_minus_beta2), g), g, v);
  const VF root =
      hn::MulAdd(hn::Sqrt(v), hn::Set(d, n.inv_root_correction2), hn::Set(d, n.epsilon));
  w = hn::NegMulAdd(hn::Set(d, n.step_size), hn::Div(m, root), w);
  constexpr bool kNarrow = !std::is_same_v<W, float> || !std::is_same_v<S, float>;
  const VU zero = hn::Zero(hn::DFromV<VU>());
  Philox random = {zero, zero, zero, zero};
  if constexpr (kNarrow) {
    if (n.stochastic) random = rounding_numbers(n, index);
  }
  store_state(n, random.word0, w, weight);
  store_state(n, random.word1, m, first);
  store_state(n, random.word2, v, second);
}

// Elements beyond the last whole vector are done in a padded copy.
template <class T>
HWY_INLINE void copy_elements(const T* from, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

template <class W, class S>
void adamw_elements(const AdamWNumbers& n, std::uint64_t index, const float* gradient, W* weight,
                    S* first, S* second, std::int64_t count) {
  std::int64_t i = 0;
  for (; i + lanes() <= count; i += lanes()) {
    adamw_vector(n, index + static_cast<std::uint64_t>(i), gradient + i, weight + i, first + i,
                 second + i);
  }
  const std::int64_t left = count - i;
  if (left == 0) return;
  float tail_gradient[kMaxLanes] = {};
  W tail_weight[kMaxLanes] = {};
  S tail_first[kMaxLanes] = {};
  S tail_second[kMaxLanes] = {};
  copy_elements(gradient + i, left, tail_gradient);
  copy_elements(weight + i, left, tail_weight);
  copy_elements(first + i, left, tail_first);
  copy_elements(second + i, left, tail_second);
  adamw_vector(n, index + static_cast<std::uint64_t>(i), tail_gradient, tail_weight, tail_first,
               tail_second);
  copy_elements(tail_weight, left, weight + i);
  copy_elements(tail_first, left, first + i);
  copy_elements(tail_second, left, second + i);
}

template <class W, class S>
void adamw_range_of(const ops::AdamW& op, const AdamWNumbers& n, std::int64_t first,
                    std::int64_t last) {
  adamw_elements(n, n.first_index + static_cast<std::uint64_t>(first),
                 op.gradient.data<float>() + first, op.weight.data<W>() + first,
                 op.first_moment.data<S>() + first, op.second_moment.data<S>() + first,
                 last - first);
}

void adamw_range(const ops::AdamW& op, const AdamWNumbers& n, std::int64_t first,
                 std::int64_t last) {
  const bool narrow_weight = op.weight.dtype() == DType::bf16;
  const bool narrow_state = op.first_moment.dtype() == DType::bf16;
  if (narrow_weight && narrow_state) return adamw_range_of<BFloat16, BFloat16>(op, n, first, last);
  if (narrow_weight) return adamw_range_of<BFloat16, float>(op, n, first, last);
  if (narrow_state) return adamw_range_of<float, BFloat16>(op, n, first, last);
  adamw_range_of<float, float>(op, n, first, last);
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(adamw_range);

namespace {

AdamWNumbers numbers_of(const ops::AdamW& op) {
  const auto step = static_cast<double>(op.step);
  AdamWNumbers n;
  n.gradient_scale = static_cast<float>(op.gradient_scale);
  n.decay = static_cast<float>(1.0 - op.learning_rate * op.weight_decay);
  n.one_minus_beta1 = static_cast<float>(1.0 - op.beta1);
  n.beta2 = static_cast<float>(op.beta2);
  n.one_minus_beta2 = static_cast<float>(1.0 - op.beta2);
  n.step_size = static_cast<float>(op.learning_rate / (1.0 - std::pow(op.beta1, step)));
  n.inv_root_correction2 = static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(op.beta2, step)));
  n.epsilon = static_cast<float>(op.epsilon);
  n.stochastic = op.stochastic_rounding;
  n.seed = op.seed;
  n.first_index = (static_cast<std::uint64_t>(op.step) << 40) + op.first_element;
  return n;
}

}  // namespace

void run(ops::OpContext& context, const ops::AdamW& op) {
  constexpr std::int64_t kGrain = 16384;
  const AdamWNumbers numbers = numbers_of(op);
  parallel_ranges(context.threads, op.gradient.elements(), kGrain,
                  [&](std::int64_t first, std::int64_t last) {
                    HWY_DYNAMIC_DISPATCH(adamw_range)(op, numbers, first, last);
                  });
}

}  // namespace hone::kernels::cpu
#endif
