#pragma once

#include "kernels/reference/elements.h"
#include "ops/lora.h"

namespace hone::kernels::reference {

inline double dropout_factor(const ops::Dropout& dropout, std::int64_t row, std::int64_t column) {
  if (!dropout.active()) return 1.0;
  const auto factors = ops::dropout_factors(dropout, row, column / 4 * 4);
  return factors[static_cast<std::size_t>(column % 4)];
}

template <class T>
void reference(const ops::LoraDown& op) {
  for (std::int64_t t = 0; t < op.x.rows(); ++t) {
    for (std::int64_t r = 0; r < op.a.rows(); ++r) {
      T sum(0.0);
      for (std::int64_t i = 0; i < op.x.columns(); ++i) {
        sum += load<T>(op.x, t, i) * dropout_factor(op.dropout, t, i) * load<T>(op.a, r, i);
      }
      store(op.h, t, r, sum);
    }
  }
}

template <class T>
void reference(const ops::LoraUp& op) {
  for (std::int64_t t = 0; t < op.y.rows(); ++t) {
    for (std::int64_t o = 0; o < op.y.columns(); ++o) {
      T sum(0.0);
      for (std::int64_t r = 0; r < op.h.columns(); ++r) {
        sum += load<T>(op.h, t, r) * load<T>(op.b, o, r);
      }
      put(op.y, t, o, sum * op.scale, op.accumulate);
    }
  }
}

template <class T>
void reference(const ops::LoraUpBackward& op) {
  for (std::int64_t r = 0; r < op.h.columns(); ++r) {
    for (std::int64_t t = 0; t < op.d_y.rows(); ++t) {
      T sum(0.0);
      for (std::int64_t o = 0; o < op.d_y.columns(); ++o) {
        sum += load<T>(op.d_y, t, o) * load<T>(op.b, o, r);
      }
      store(op.d_h, t, r, sum * op.scale);
    }
    for (std::int64_t o = 0; o < op.d_y.columns(); ++o) {
      T sum(0.0);
      for (std::int64_t t = 0; t < op.d_y.rows(); ++t) {
        sum += load<T>(op.d_y, t, o) * load<T>(op.h, t, r);
      }
      put(op.d_b, o, r, sum * op.scale, true);
    }
  }
}

template <class T>
void reference(const ops::LoraDownBackward& op) {
  for (std::int64_t i = 0; i < op.x.columns(); ++i) {
    for (std::int64_t r = 0; r < op.a.rows(); ++r) {
      T sum(0.0);
      for (std::int64_t t = 0; t < op.x.rows(); ++t) {
        sum += load<T>(op.d_h, t, r) * load<T>(op.x, t, i) * dropout_factor(op.dropout, t, i);
      }
      put(op.d_a, r, i, sum, true);
    }
    if (!op.d_x.present()) continue;
    for (std::int64_t t = 0; t < op.x.rows(); ++t) {
      T sum(0.0);
      for (std::int64_t r = 0; r < op.a.rows(); ++r) {
        sum += load<T>(op.d_h, t, r) * load<T>(op.a, r, i);
      }
      put(op.d_x, t, i, sum * dropout_factor(op.dropout, t, i), op.accumulate);
    }
  }
}

inline DType number_dtype(const ops::LoraDown& op) {
  return op.h.dtype();
}
inline DType number_dtype(const ops::LoraUp& op) {
  return op.y.dtype();
}
inline DType number_dtype(const ops::LoraUpBackward& op) {
  return op.d_b.dtype();
}
inline DType number_dtype(const ops::LoraDownBackward& op) {
  return op.d_a.dtype();
}

}  // namespace hone::kernels::reference
