#pragma once

#include <cmath>

#include "kernels/reference/elements.h"
#include "ops/swiglu.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::SwiGluForward& op) {
  for (std::int64_t t = 0; t < op.gate.rows(); ++t) {
    for (std::int64_t f = 0; f < op.gate.columns(); ++f) {
      const T gate = load<T>(op.gate, t, f);
      store(op.out, t, f, gate / (T(1.0) + std::exp(-gate)) * load<T>(op.up, t, f));
    }
  }
}

template <class T>
void reference(const ops::SwiGluBackward& op) {
  for (std::int64_t t = 0; t < op.gate.rows(); ++t) {
    for (std::int64_t f = 0; f < op.gate.columns(); ++f) {
      const T gate = load<T>(op.gate, t, f);
      const T up = load<T>(op.up, t, f);
      const T d_out = load<T>(op.d_out, t, f);
      const T s = T(1.0) / (T(1.0) + std::exp(-gate));
      store(op.d_gate, t, f, d_out * up * s * (T(1.0) + gate * (T(1.0) - s)));
      store(op.d_up, t, f, d_out * gate * s);
    }
  }
}

inline DType number_dtype(const ops::SwiGluForward& op) {
  return op.out.dtype();
}
inline DType number_dtype(const ops::SwiGluBackward& op) {
  return op.d_gate.dtype();
}

}  // namespace hone::kernels::reference
