// Dropout factors in bulk; the same numbers as ops::dropout_factors.
#pragma once

#include <cstdint>

#include "ops/dropout.h"

namespace hone::kernels::cpu {

// What one row's factors depend on.
struct DropoutNumbers {
  std::uint64_t seed, key;
  std::uint32_t lane;       // of the first four columns
  std::uint32_t threshold;  // bits below it are dropped
  float kept;
};

// factors[i] for columns [first, first + count) of a row; first is a multiple of 4, and `factors`
// has room for kFactorPadding more than count.
constexpr std::int64_t kFactorPadding = 64;
void dropout_row(const ops::Dropout& dropout, std::int64_t row, std::int64_t first,
                 std::int64_t count, float* factors);

}  // namespace hone::kernels::cpu
