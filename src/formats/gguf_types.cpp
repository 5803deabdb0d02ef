#include "formats/gguf_types.h"

#include <array>

#include "base/error.h"

namespace hone::formats {
namespace {

// Sizes as in ggml's headers, through the gguf Python package 0.19.0.
constexpr std::array kTypes = {
    GgmlTypeInfo{0, "F32", 1, 4},         GgmlTypeInfo{1, "F16", 1, 2},
    GgmlTypeInfo{2, "Q4_0", 32, 18},      GgmlTypeInfo{3, "Q4_1", 32, 20},
    GgmlTypeInfo{6, "Q5_0", 32, 22},      GgmlTypeInfo{7, "Q5_1", 32, 24},
    GgmlTypeInfo{8, "Q8_0", 32, 34},      GgmlTypeInfo{9, "Q8_1", 32, 36},
    GgmlTypeInfo{10, "Q2_K", 256, 84},    GgmlTypeInfo{11, "Q3_K", 256, 110},
    GgmlTypeInfo{12, "Q4_K", 256, 144},   GgmlTypeInfo{13, "Q5_K", 256, 176},
    GgmlTypeInfo{14, "Q6_K", 256, 210},   GgmlTypeInfo{15, "Q8_K", 256, 292},
    GgmlTypeInfo{16, "IQ2_XXS", 256, 66}, GgmlTypeInfo{17, "IQ2_XS", 256, 74},
    GgmlTypeInfo{18, "IQ3_XXS", 256, 98}, GgmlTypeInfo{19, "IQ1_S", 256, 50},
    GgmlTypeInfo{20, "IQ4_NL", 32, 18},   GgmlTypeInfo{21, "IQ3_S", 256, 110},
    GgmlTypeInfo{22, "IQ2_S", 256, 82},   GgmlTypeInfo{23, "IQ4_XS", 256, 136},
    GgmlTypeInfo{24, "I8", 1, 1},         GgmlTypeInfo{25, "I16", 1, 2},
    GgmlTypeInfo{26, "I32", 1, 4},        GgmlTypeInfo{27, "I64", 1, 8},
    GgmlTypeInfo{28, "F64", 1, 8},        GgmlTypeInfo{29, "IQ1_M", 256, 56},
    GgmlTypeInfo{30, "BF16", 1, 2},       GgmlTypeInfo{34, "TQ1_0", 256, 54},
    GgmlTypeInfo{35, "TQ2_0", 256, 66},   GgmlTypeInfo{39, "MXFP4", 32, 17},
    GgmlTypeInfo{40, "NVFP4", 64, 36},    GgmlTypeInfo{41, "Q1_0", 128, 18},
};

struct KindRow {
  std::uint32_t size_bytes;
  std::string_view name;
};

constexpr std::array kKinds = {
    KindRow{1, "u8"},       KindRow{1, "i8"},     KindRow{2, "u16"}, KindRow{2, "i16"},
    KindRow{4, "u32"},      KindRow{4, "i32"},    KindRow{4, "f32"}, KindRow{1, "a boolean"},
    KindRow{0, "a string"}, KindRow{0, "a list"}, KindRow{8, "u64"}, KindRow{8, "i64"},
    KindRow{8, "f64"},
};

const KindRow& row(GgufKind kind) {
  const std::size_t index = static_cast<std::size_t>(kind);
  HONE_ASSERT(index < kKinds.size(), index);
  return kKinds[index];
}

}  // namespace

const GgmlTypeInfo* find_ggml_type(std::uint32_t id) {
  for (const GgmlTypeInfo& candidate : kTypes) {
    if (candidate.id == id) return &candidate;
  }
  return nullptr;
}

std::uint32_t size_bytes(GgufKind kind) {
  return row(kind).size_bytes;
}
std::string_view describe(GgufKind kind) {
  return row(kind).name;
}

}  // namespace hone::formats
