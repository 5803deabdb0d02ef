#pragma once

#include "kernels/reference/elements.h"
#include "ops/elementwise.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::Cast& op) {
  const Shape flat = {op.from.elements()};
  const ConstTensorView from = op.from.reshape(flat);
  const TensorView to = op.to.reshape(flat);
  for (std::int64_t i = 0; i < from.rows(); ++i) store(to, i, 0, load<T>(from, i));
}

template <class T>
void reference(const ops::AddScaled& op) {
  for (std::int64_t t = 0; t < op.y.rows(); ++t) {
    for (std::int64_t d = 0; d < op.y.columns(); ++d) {
      put(op.y, t, d, load<T>(op.x, t, d) * op.scale, true);
    }
  }
}

inline DType number_dtype(const ops::Cast& op) {
  return op.to.dtype();
}
inline DType number_dtype(const ops::AddScaled& op) {
  return op.y.dtype();
}

}  // namespace hone::kernels::reference
