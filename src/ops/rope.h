// Rotary position embedding, half-split form, in place (Su et al., "RoFormer", 2021; the pairing of
// element i with element i + E/2 is that of the Hugging Face checkpoints).
//
//   x[i]       <- x[i] cos - x[i + E/2] sin
//   x[i + E/2] <- x[i + E/2] cos + x[i] sin      with cos, sin of row positions[t], column i
//
// The gradient is the rotation by the opposite angle: `inverse`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct Rope {
  static constexpr std::string_view kName = "rope";
  static constexpr auto kSlot = &OpTable::rope;

  std::span<const std::int32_t> positions;  // [T], each in [0, P)
  ConstTensorView cosines;                  // [P, E/2]
  ConstTensorView sines;                    // [P, E/2]
  bool inverse = false;
  TensorView x;  // [T, H, E]; in place
};

void check(const Rope& op);
Cost cost(const Rope& op);

}  // namespace hone::ops
