// Element types in kernels: f32 in registers, any of three in memory.
#pragma once

#include "base/error.h"
#include "base/tensor_view.h"
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

GPU_DEVICE float widen(float value) {
  return value;
}
GPU_DEVICE float widen(BFloat16 value) {
  return to_float(value);
}

#if defined(__HIP__)
GPU_DEVICE float widen(Float16 value) {
  return static_cast<float>(__builtin_bit_cast(_Float16, value.bits));
}
GPU_DEVICE void narrow(float value, Float16& to) {
  to.bits = __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value));
}
#else
inline float widen(Float16 value) {
  return to_float(value);
}
inline void narrow(float value, Float16& to) {
  to = to_float16(value);
}
#endif

GPU_DEVICE void narrow(float value, float& to) {
  to = value;
}
GPU_DEVICE void narrow(float value, BFloat16& to) {
  to = to_bfloat16(value);
}

// `value` rounded to nearest even.
template <class T>
GPU_DEVICE T narrowed(float value) {
  T result;
  narrow(value, result);
  return result;
}

// visit.template operator()<T>() with the type of a stored dtype.
template <class Visit>
void with_stored_type(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::f32:
      return visit.template operator()<float>();
    case DType::bf16:
      return visit.template operator()<BFloat16>();
    case DType::f16:
      return visit.template operator()<Float16>();
    default:
      HONE_ASSERT(false, name(dtype));
  }
}

}  // namespace hone::kernels::gpu
