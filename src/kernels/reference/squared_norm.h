#pragma once

#include <algorithm>

#include "kernels/reference/elements.h"
#include "ops/squared_norm.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::SquaredNorm& op) {
  for (std::int64_t s = 0; s < op.partials.elements(); ++s) {
    const std::int64_t first = s * ops::SquaredNorm::kSegmentElements;
    const std::int64_t last = std::min(first + ops::SquaredNorm::kSegmentElements, op.x.elements());
    T sum(0.0);
    for (std::int64_t i = first; i < last; ++i) sum += load<T>(op.x, i) * load<T>(op.x, i);
    store(op.partials, s, 0, sum);
  }
}

inline DType number_dtype(const ops::SquaredNorm& op) {
  return op.partials.dtype();
}

}  // namespace hone::kernels::reference
