#include "base/dtype.h"

#include <array>

#include "base/error.h"

namespace hone {
namespace {

struct Row {
  DType dtype;
  std::string_view name;
  std::size_t size_bytes;
  bool floating;
};

constexpr std::array kRows = {
    Row{DType::f64, "f64", 8, true},         Row{DType::f32, "f32", 4, true},
    Row{DType::f16, "f16", 2, true},         Row{DType::bf16, "bf16", 2, true},
    Row{DType::f8_e4m3, "f8_e4m3", 1, true}, Row{DType::f8_e5m2, "f8_e5m2", 1, true},
    Row{DType::i64, "i64", 8, false},        Row{DType::i32, "i32", 4, false},
    Row{DType::i16, "i16", 2, false},        Row{DType::i8, "i8", 1, false},
    Row{DType::u64, "u64", 8, false},        Row{DType::u32, "u32", 4, false},
    Row{DType::u16, "u16", 2, false},        Row{DType::u8, "u8", 1, false},
    Row{DType::boolean, "bool", 1, false},   Row{DType::c128, "c128", 16, true},
};

const Row& row(DType dtype) {
  for (const Row& candidate : kRows) {
    if (candidate.dtype == dtype) return candidate;
  }
  HONE_ASSERT(false, "dtype", static_cast<int>(dtype));
  return kRows.front();
}

}  // namespace

std::size_t size_bytes(DType dtype) {
  return row(dtype).size_bytes;
}

std::string_view name(DType dtype) {
  return row(dtype).name;
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const Row& candidate : kRows) {
    if (candidate.name == name) return candidate.dtype;
  }
  return std::nullopt;
}

bool is_floating(DType dtype) {
  return row(dtype).floating;
}

}  // namespace hone
