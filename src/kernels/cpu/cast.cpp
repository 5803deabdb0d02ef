#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/cast.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/widen-inl.h"
#include "kernels/cpu/widen.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

template <class From, class To>
void convert(const void* from_bytes, void* to_bytes, std::int64_t count) {
  const auto* from = static_cast<const From*>(from_bytes);
  auto* to = static_cast<To*>(to_bytes);
  const std::int64_t step = lanes();
  std::int64_t i = 0;
  for (; i + step <= count; i += step) narrow(widen(from + i), to + i);
  for (; i < count; ++i) {
    float wide;
    to_wide(from + i, &wide);
    to_narrow(wide, to + i);
  }
}

template <class From>
void convert_from(DType to, const void* from_bytes, void* to_bytes, std::int64_t count) {
  switch (to) {
    case DType::bf16:
      return convert<From, BFloat16>(from_bytes, to_bytes, count);
    case DType::f16:
      return convert<From, Float16>(from_bytes, to_bytes, count);
    default:
      return convert<From, float>(from_bytes, to_bytes, count);
  }
}

void convert_elements(DType from, DType to, const void* from_bytes, void* to_bytes,
                      std::int64_t count) {
  switch (from) {
    case DType::bf16:
      return convert_from<BFloat16>(to, from_bytes, to_bytes, count);
    case DType::f16:
      return convert_from<Float16>(to, from_bytes, to_bytes, count);
    default:
      return convert_from<float>(to, from_bytes, to_bytes, count);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(convert_elements);

void widen(DType dtype, const void* from, std::int64_t count, float* to) {
  HWY_DYNAMIC_DISPATCH(convert_elements)(dtype, DType::f32, from, to, count);
}

const float* widened(const ConstTensorView& weight, float* space) {
  if (weight.dtype() == DType::f32) return weight.data<float>();
  widen(weight.dtype(), weight.raw(), weight.elements(), space);
  return space;
}

std::int64_t widened_elements(const ConstTensorView& weight) {
  return weight.dtype() == DType::f32 ? 0 : weight.elements();
}

void run(ops::OpContext& context, const ops::Cast& op) {
  constexpr std::int64_t kGrain = 16384;
  const auto* from = static_cast<const std::byte*>(op.from.raw());
  auto* to = static_cast<std::byte*>(op.to.raw());
  const auto from_size = static_cast<std::int64_t>(size_bytes(op.from.dtype()));
  const auto to_size = static_cast<std::int64_t>(size_bytes(op.to.dtype()));
  parallel_ranges(context.threads, op.from.elements(), kGrain,
                  [&](std::int64_t first, std::int64_t last) {
                    HWY_DYNAMIC_DISPATCH(convert_elements)
                    (op.from.dtype(), op.to.dtype(), from + first * from_size, to + first * to_size,
                     last - first);
                  });
}

}  // namespace hone::kernels::cpu
#endif
