#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/rope.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Rotates the `heads` vectors of 2 * half elements that follow one another at x.
void rotate_row(float* x, std::int64_t heads, std::int64_t half, const float* cosines,
                const float* sines, bool inverse) {
  for (std::int64_t i = 0; i < half; i += lanes()) {
    const std::int64_t left = half - i;
    const VF c = load_up_to(cosines + i, left);
    const VF sine = load_up_to(sines + i, left);
    const VF s = inverse ? hn::Neg(sine) : sine;
    for (std::int64_t h = 0; h < heads; ++h) {
      float* low = x + h * 2 * half + i;
      float* high = low + half;
      const VF a = load_up_to(low, left);
      const VF b = load_up_to(high, left);
      store_up_to(hn::NegMulAdd(b, s, hn::Mul(a, c)), low, left);
      store_up_to(hn::MulAdd(a, s, hn::Mul(b, c)), high, left);
    }
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(rotate_row);

void run(ops::OpContext& context, const ops::Rope& op) {
  const std::int64_t heads = op.x.shape()[1];
  const std::int64_t half = op.x.shape()[2] / 2;
  parallel_ranges(context.threads, op.x.rows(), row_grain(op.x.columns()),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      const std::int32_t position = op.positions[static_cast<std::size_t>(t)];
                      HWY_DYNAMIC_DISPATCH(rotate_row)
                      (op.x.row<float>(t), heads, half, op.cosines.row<float>(position),
                       op.sines.row<float>(position), op.inverse);
                    }
                  });
}

}  // namespace hone::kernels::cpu
#endif
