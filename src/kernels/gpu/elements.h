// Element types in kernels: f32 in registers, any of three in memory.
#pragma once

#include "base/error.h"
#include "base/tensor_view.h"
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

// base/half.h is the host's; these give the same bits, by the harness.
GPU_DEVICE float float_of(std::uint32_t bits) {
  return __builtin_bit_cast(float, bits);
}
GPU_DEVICE std::uint32_t bits_of(float value) {
  return __builtin_bit_cast(std::uint32_t, value);
}

GPU_DEVICE float widen(float value) {
  return value;
}
GPU_DEVICE float widen(BFloat16 value) {
  return float_of(static_cast<std::uint32_t>(value.bits) << 16);
}

GPU_DEVICE void narrow(float value, float& to) {
  to = value;
}
// To nearest, ties to even; a NaN stays one.
GPU_DEVICE void narrow(float value, BFloat16& to) {
  const std::uint32_t bits = bits_of(value);
  const bool not_a_number = (bits & 0x7fffffffu) > 0x7f800000u;
  const std::uint32_t tie_to_even = 0x7fffu + ((bits >> 16) & 1u);
  to.bits = static_cast<std::uint16_t>(not_a_number ? (bits >> 16) | 0x0040u
                                                    : (bits + tie_to_even) >> 16);
}

GPU_DEVICE float widen(Float16 value) {
  return widened_half(value);
}
GPU_DEVICE void narrow(float value, Float16& to) {
  to = nearest_half(value);
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
