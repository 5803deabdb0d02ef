#include "formats/safetensors_dtype.h"

#include <array>

namespace hone::formats {
namespace {

// In the order of the reference implementation (0.8.0), which sorts tensors by it before writing.
constexpr std::array kDTypes = {
    SafetensorsDType{"BOOL", 8, DType::boolean, 0},
    SafetensorsDType{"F4", 4, std::nullopt, 1},
    SafetensorsDType{"F6_E2M3", 6, std::nullopt, 2},
    SafetensorsDType{"F6_E3M2", 6, std::nullopt, 3},
    SafetensorsDType{"U8", 8, DType::u8, 4},
    SafetensorsDType{"I8", 8, DType::i8, 5},
    SafetensorsDType{"F8_E5M2", 8, DType::f8_e5m2, 6},
    SafetensorsDType{"F8_E4M3", 8, DType::f8_e4m3, 7},
    SafetensorsDType{"F8_E8M0", 8, std::nullopt, 8},
    SafetensorsDType{"F8_E4M3FNUZ", 8, std::nullopt, 9},
    SafetensorsDType{"F8_E5M2FNUZ", 8, std::nullopt, 10},
    SafetensorsDType{"I16", 16, DType::i16, 11},
    SafetensorsDType{"U16", 16, DType::u16, 12},
    SafetensorsDType{"F16", 16, DType::f16, 13},
    SafetensorsDType{"BF16", 16, DType::bf16, 14},
    SafetensorsDType{"I32", 32, DType::i32, 15},
    SafetensorsDType{"U32", 32, DType::u32, 16},
    SafetensorsDType{"F32", 32, DType::f32, 17},
    SafetensorsDType{"C64", 64, std::nullopt, 18},
    SafetensorsDType{"F64", 64, DType::f64, 19},
    SafetensorsDType{"I64", 64, DType::i64, 20},
    SafetensorsDType{"U64", 64, DType::u64, 21},
};

}  // namespace

const SafetensorsDType* find_safetensors_dtype(std::string_view name) {
  for (const SafetensorsDType& candidate : kDTypes) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

const SafetensorsDType* safetensors_dtype_of(DType dtype) {
  for (const SafetensorsDType& candidate : kDTypes) {
    if (candidate.dtype == dtype) return &candidate;
  }
  return nullptr;
}

}  // namespace hone::formats
