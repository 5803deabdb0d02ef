// Which elements a dropout keeps: a function of coordinates, remade wherever it is needed.
//
// Element (row, column) is kept when the 32-bit number philox(seed, adapter_dropout,
// index = key_of_row[row], lane = channel * 2^20 + column / 4)[column mod 4] is at least
// `probability` * 2^32, and is then multiplied by 1 / (1 - probability). The key of a row is made
// by the caller from (step, record's ordinal in the epoch, position in the record), so that the
// choice does not depend on packing, cut, threads or ranks.
#pragma once

#include <cstdint>
#include <span>

#include "base/random.h"

namespace hone::ops {

struct Dropout {
  double probability = 0.0;  // 0: nothing is dropped, the other fields are not read
  std::uint64_t seed = 0;
  std::uint32_t channel = 0;                  // which adapter input; below 4096
  std::span<const std::uint64_t> key_of_row;  // [T]

  bool active() const { return probability > 0.0; }
};

// The factor of the four columns that start at `column` (a multiple of 4) of a row.
std::array<float, 4> dropout_factors(const Dropout& dropout, std::int64_t row, std::int64_t column);

}  // namespace hone::ops
