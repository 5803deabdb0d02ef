// Operands of the small products in tile-inl.h.
#pragma once

#include <cstdint>

namespace hone::kernels::cpu {

// Element (i, l) of the left side is data[i * row + l * step].
struct LeftSide {
  const float* data;
  std::int64_t row, step;

  LeftSide from_row(std::int64_t i) const { return {data + i * row, row, step}; }
};

// Rows of floats, `stride` apart.
template <class T>
struct Rows {
  T* data;
  std::int64_t stride;

  T* at(std::int64_t row, std::int64_t column) const { return data + row * stride + column; }
};

}  // namespace hone::kernels::cpu
