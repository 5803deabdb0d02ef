// Sum of squares of a flat array, in partial sums over fixed segments, so that neither threads nor
// shards change it (shard boundaries lie on segment boundaries). A non-finite element makes its
// segment's sum non-finite: the sentinel reads the same numbers.
#pragma once

#include <cstdint>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct SquaredNorm {
  static constexpr std::string_view kName = "squared_norm";
  static constexpr auto kSlot = &OpTable::squared_norm;

  static constexpr std::int64_t kSegmentElements = 65536;

  ConstTensorView x;    // [n], contiguous
  TensorView partials;  // f64 [segments(n)]; assigned; each summed in f64 in a fixed order
};

inline std::int64_t segments(std::int64_t elements) {
  return (elements + SquaredNorm::kSegmentElements - 1) / SquaredNorm::kSegmentElements;
}

void check(const SquaredNorm& op);
Cost cost(const SquaredNorm& op);

}  // namespace hone::ops
