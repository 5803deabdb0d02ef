// Element types of tensors, in memory and in files.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace hone {

// Every dtype that safetensors knows, and c128, which exists in memory only: reference kernels run
// on it for gradient proofs by the complex step.
enum class DType {
  f64,
  f32,
  f16,
  bf16,
  f8_e4m3,
  f8_e5m2,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  c128,
};

// Bytes of one element.
std::size_t size_bytes(DType dtype);

// Name as people write it: "f32", "bf16", "c128".
std::string_view name(DType dtype);

// The inverse of name(); nothing for an unknown name.
std::optional<DType> dtype_from_name(std::string_view name);

// True for types that hold fractions (f64 ... f8_e5m2, c128).
bool is_floating(DType dtype);

}  // namespace hone
