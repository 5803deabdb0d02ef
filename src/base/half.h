// The two 16-bit floating types as storage: bits, and conversion to and from f32.
//
// BFloat16 is the upper half of an f32; Float16 is IEEE 754 binary16. Conversion from f32 rounds to
// nearest, ties to even; values too large become infinity; a NaN stays a NaN.
#pragma once

#include <cstdint>
#include <cstring>

namespace hone {

struct BFloat16 {
  std::uint16_t bits = 0;
};

struct Float16 {
  std::uint16_t bits = 0;
};

inline float bits_to_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint32_t float_to_bits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float to_float(BFloat16 value) {
  return bits_to_float(static_cast<std::uint32_t>(value.bits) << 16);
}

inline BFloat16 to_bfloat16(float value) {
  const std::uint32_t bits = float_to_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    return {static_cast<std::uint16_t>((bits >> 16) | 0x0040u)};  // quiet, payload's top kept
  }
  const std::uint32_t tie_to_even = 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>((bits + tie_to_even) >> 16)};
}

float to_float(Float16 value);
Float16 to_float16(float value);

}  // namespace hone
