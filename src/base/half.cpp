#include "base/half.h"

namespace hone {

float to_float(Float16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const std::uint32_t fraction = value.bits & 0x3ffu;
  if (exponent == 0x1fu) return bits_to_float(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return bits_to_float(sign | ((exponent + 112u) << 23) | (fraction << 13));
  // Zero or subnormal: fraction * 2^-24, exact in f32.
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return bits_to_float(sign | float_to_bits(magnitude));
}

Float16 to_float16(float value) {
  const std::uint32_t bits = float_to_bits(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return {static_cast<std::uint16_t>(sign | 0x7e00u)};
  if (magnitude >= 0x477ff000u) return {static_cast<std::uint16_t>(sign | 0x7c00u)};  // >= 65520
  if (magnitude < 0x38800000u) {
    // Below 2^-14: adding 0.5 shifts the fraction to the low bits, rounded to nearest even by the
    // FPU.
    const float shifted = bits_to_float(magnitude) + 0.5f;
    return {static_cast<std::uint16_t>(sign | (float_to_bits(shifted) - float_to_bits(0.5f)))};
  }
  const std::uint32_t tie_to_even = 0xfffu + ((magnitude >> 13) & 1u);
  const std::uint32_t rebased = magnitude - (112u << 23) + tie_to_even;
  return {static_cast<std::uint16_t>(sign | (rebased >> 13))};
}

}  // namespace hone
