#pragma once

#include "kernels/reference/elements.h"
#include "ops/product.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::Product& op) {
  const auto [m, n, k] = ops::extents(op);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      T sum(0.0);
      for (std::int64_t l = 0; l < k; ++l) {
        const T a = op.transpose_a ? load<T>(op.a, l, i) : load<T>(op.a, i, l);
        const T b = op.transpose_b ? load<T>(op.b, j, l) : load<T>(op.b, l, j);
        sum += a * b;
      }
      put(op.c, i, j, sum, op.accumulate);
    }
  }
}

inline DType number_dtype(const ops::Product& op) {
  return op.c.dtype();
}

}  // namespace hone::kernels::reference
