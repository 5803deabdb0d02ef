#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/squared_norm.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Squares of f32 are exact in f64.
double sum_of_squares(const float* x, std::int64_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> half;
  const auto step = static_cast<std::int64_t>(hn::Lanes(d));
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  auto sum2 = hn::Zero(d);
  auto sum3 = hn::Zero(d);
  const auto square_onto = [&](const float* p, auto sum) HWY_ATTR {
    const auto v = hn::PromoteTo(d, hn::LoadU(half, p));
    return hn::MulAdd(v, v, sum);
  };
  std::int64_t i = 0;
  for (; i + 4 * step <= count; i += 4 * step) {
    sum0 = square_onto(x + i, sum0);
    sum1 = square_onto(x + i + step, sum1);
    sum2 = square_onto(x + i + 2 * step, sum2);
    sum3 = square_onto(x + i + 3 * step, sum3);
  }
  const auto all = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  double sum = hn::GetLane(hn::SumOfLanes(d, all));
  for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return sum;
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(sum_of_squares);

void run(ops::OpContext& context, const ops::SquaredNorm& op) {
  constexpr std::int64_t kSegment = ops::SquaredNorm::kSegmentElements;
  const auto* x = op.x.data<float>();
  const std::int64_t count = op.x.elements();
  parallel_ranges(context.threads, op.partials.elements(), 1,
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t s = first; s < last; ++s) {
                      op.partials.data<double>()[s] = HWY_DYNAMIC_DISPATCH(sum_of_squares)(
                          x + s * kSegment, std::min(kSegment, count - s * kSegment));
                    }
                  });
}

}  // namespace hone::kernels::cpu
#endif
