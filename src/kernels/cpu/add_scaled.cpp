#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/add_scaled.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/add_scaled.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

void add_scaled_elements(const float* x, float scale, float* y, std::int64_t count) {
  const VF factor = hn::Set(DF(), scale);
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const std::int64_t left = count - i;
    store_up_to(hn::MulAdd(factor, load_up_to(x + i, left), load_up_to(y + i, left)), y + i, left);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(add_scaled_elements);

void add_scaled(const float* x, float scale, float* y, std::int64_t count) {
  HWY_DYNAMIC_DISPATCH(add_scaled_elements)(x, scale, y, count);
}

void run(ops::OpContext& context, const ops::AddScaled& op) {
  const std::int64_t columns = op.y.columns();
  const auto scale = static_cast<float>(op.scale);
  parallel_ranges(context.threads, op.y.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      add_scaled(op.x.row<float>(t), scale, op.y.row<float>(t), columns);
                    }
                  });
}

}  // namespace hone::kernels::cpu
#endif
