#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/head.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Logits are read from memory once: a chunk stays in the first cache between the search for its
// largest and the sum of its exponentials.
constexpr std::int64_t kChunk = 2048;

HWY_INLINE float largest_of(const float* x, std::int64_t count, float start) {
  const DF d;
  VF largest = hn::Set(d, start);
  std::int64_t i = 0;
  for (; i + lanes() <= count; i += lanes()) largest = hn::Max(largest, hn::LoadU(d, x + i));
  float result = hn::GetLane(hn::MaxOfLanes(d, largest));
  for (; i < count; ++i) result = std::max(result, x[i]);
  return result;
}

HWY_INLINE double sum_of_exp(const float* x, std::int64_t count, float offset) {
  const DF d;
  const VF shift = hn::Set(d, offset);
  VF sum0 = hn::Zero(d);
  VF sum1 = hn::Zero(d);
  std::int64_t i = 0;
  for (; i + 2 * lanes() <= count; i += 2 * lanes()) {
    sum0 = hn::Add(sum0, exp(hn::Sub(hn::LoadU(d, x + i), shift)));
    sum1 = hn::Add(sum1, exp(hn::Sub(hn::LoadU(d, x + i + lanes()), shift)));
  }
  double rest = 0.0;
  for (; i < count; ++i) rest += std::exp(static_cast<double>(x[i]) - offset);
  return static_cast<double>(sum_of(hn::Add(sum0, sum1))) + rest;
}

double log_sum_exp_of_row(const float* logits, std::int64_t count) {
  float largest = std::numeric_limits<float>::lowest();
  double sum = 0.0;
  for (std::int64_t first = 0; first < count; first += kChunk) {
    const std::int64_t size = std::min(kChunk, count - first);
    const float before = largest;
    largest = largest_of(logits + first, size, largest);
    if (largest > before) sum *= std::exp(static_cast<double>(before) - largest);
    sum += sum_of_exp(logits + first, size, largest);
  }
  return std::log(sum) + largest;
}

void head_gradient_row(float* logits, std::int64_t count, float log_sum_exp, float coefficient) {
  const DF d;
  const VF shift = hn::Set(d, log_sum_exp);
  const VF factor = hn::Set(d, coefficient);
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const std::int64_t left = count - i;
    const VF p = exp(hn::Sub(load_up_to(logits + i, left), shift));
    store_up_to(hn::Mul(factor, p), logits + i, left);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(log_sum_exp_of_row);
HWY_EXPORT(head_gradient_row);

void run(ops::OpContext& context, const ops::HeadStatistics& op) {
  const std::int64_t vocabulary = op.logits.columns();
  parallel_ranges(context.threads, op.logits.rows(), row_grain(vocabulary),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      const float* logits = op.logits.row<float>(i);
                      const double sum =
                          HWY_DYNAMIC_DISPATCH(log_sum_exp_of_row)(logits, vocabulary);
                      const double label = logits[op.labels[static_cast<std::size_t>(i)]];
                      op.log_sum_exp.row<float>(i)[0] = static_cast<float>(sum);
                      op.log_probability.row<float>(i)[0] = static_cast<float>(label - sum);
                    }
                  });
}

void run(ops::OpContext& context, const ops::HeadGradient& op) {
  const std::int64_t vocabulary = op.logits.columns();
  parallel_ranges(context.threads, op.logits.rows(), row_grain(vocabulary),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      float* logits = op.logits.row<float>(i);
                      const float coefficient = op.coefficient.row<float>(i)[0];
                      float& label = logits[op.labels[static_cast<std::size_t>(i)]];
                      // expm1 keeps the label's digits where its probability is near 1.
                      const auto at_label = static_cast<float>(
                          coefficient *
                          std::expm1(static_cast<double>(label) - op.log_sum_exp.row<float>(i)[0]));
                      HWY_DYNAMIC_DISPATCH(head_gradient_row)
                      (logits, vocabulary, op.log_sum_exp.row<float>(i)[0], coefficient);
                      label = at_label;
                    }
                  });
}

}  // namespace hone::kernels::cpu
#endif
