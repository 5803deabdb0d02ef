#pragma once

#include "kernels/reference/elements.h"
#include "ops/rope.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::Rope& op) {
  const std::int64_t heads = op.x.shape()[1];
  const std::int64_t width = op.x.shape()[2];
  const std::int64_t half = width / 2;
  for (std::int64_t t = 0; t < op.x.rows(); ++t) {
    const std::int32_t position = op.positions[static_cast<std::size_t>(t)];
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = 0; i < half; ++i) {
        const T cosine = load<T>(op.cosines, position, i);
        const T sine = load<T>(op.sines, position, i) * (op.inverse ? -1.0 : 1.0);
        const T low = load<T>(op.x, t, h * width + i);
        const T high = load<T>(op.x, t, h * width + half + i);
        store(op.x, t, h * width + i, low * cosine - high * sine);
        store(op.x, t, h * width + half + i, high * cosine + low * sine);
      }
    }
  }
}

inline DType number_dtype(const ops::Rope& op) {
  return op.x.dtype();
}

}  // namespace hone::kernels::reference
