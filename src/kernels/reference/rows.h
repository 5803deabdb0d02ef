#pragma once

#include "kernels/reference/elements.h"
#include "ops/rows.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::GatherRows& op) {
  for (std::size_t i = 0; i < op.rows.size(); ++i) {
    for (std::int64_t d = 0; d < op.y.columns(); ++d) {
      store(op.y, static_cast<std::int64_t>(i), d, load<T>(op.x, op.rows[i], d));
    }
  }
}

template <class T>
void reference(const ops::ScatterAddRows& op) {
  for (std::size_t i = 0; i < op.rows.size(); ++i) {
    for (std::int64_t d = 0; d < op.d_y.columns(); ++d) {
      put(op.d_x, op.rows[i], d, load<T>(op.d_y, static_cast<std::int64_t>(i), d), true);
    }
  }
}

inline DType number_dtype(const ops::GatherRows& op) {
  return op.y.dtype();
}
inline DType number_dtype(const ops::ScatterAddRows& op) {
  return op.d_x.dtype();
}

}  // namespace hone::kernels::reference
