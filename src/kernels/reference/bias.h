#pragma once

#include "kernels/reference/elements.h"
#include "ops/bias.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::BiasForward& op) {
  for (std::int64_t t = 0; t < op.y.rows(); ++t) {
    for (std::int64_t n = 0; n < op.y.columns(); ++n) {
      put(op.y, t, n, load<T>(op.bias, n), true);
    }
  }
}

template <class T>
void reference(const ops::BiasBackward& op) {
  for (std::int64_t t = 0; t < op.d_y.rows(); ++t) {
    for (std::int64_t n = 0; n < op.d_y.columns(); ++n) {
      put(op.d_bias, n, 0, load<T>(op.d_y, t, n), true);
    }
  }
}

inline DType number_dtype(const ops::BiasForward& op) {
  return op.y.dtype();
}
inline DType number_dtype(const ops::BiasBackward& op) {
  return op.d_bias.dtype();
}

}  // namespace hone::kernels::reference
