// The element types of GGUF tensors, and the value types of its metadata.
#pragma once

#include <cstdint>
#include <string_view>

namespace hone::formats {

// Types that hone dequantizes; ids are those of the format. The format has more (see
// find_ggml_type).
enum class GgmlType : std::uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q8_0 = 8,
  q4_k = 12,
  q6_k = 14,
  bf16 = 30,
};

// Elements are stored in blocks; a row is a whole number of them.
struct GgmlTypeInfo {
  std::uint32_t id = 0;
  std::string_view name;  // "Q4_K"
  std::uint32_t block_elements = 1;
  std::uint32_t block_bytes = 0;
};

// nullptr for an id that is unknown, or was given up by the format (Q4_2, Q4_0_4_4, ...).
const GgmlTypeInfo* find_ggml_type(std::uint32_t id);

enum class GgufKind : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  string,
  array,
  u64,
  i64,
  f64,
};

// Bytes of a value of that kind; 0 for strings and arrays, whose size varies.
std::uint32_t size_bytes(GgufKind kind);

// "u32", "a string", "a list": for errors.
std::string_view describe(GgufKind kind);

}  // namespace hone::formats
