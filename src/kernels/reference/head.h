#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/reference/elements.h"
#include "ops/head.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::HeadStatistics& op) {
  for (std::int64_t i = 0; i < op.logits.rows(); ++i) {
    double largest = -INFINITY;
    for (std::int64_t v = 0; v < op.logits.columns(); ++v) {
      largest = std::max(largest, real_part(load<T>(op.logits, i, v)));
    }
    T sum(0.0);
    for (std::int64_t v = 0; v < op.logits.columns(); ++v) {
      sum += std::exp(load<T>(op.logits, i, v) - largest);
    }
    const T log_sum_exp = std::log(sum) + largest;
    const std::int32_t label = op.labels[static_cast<std::size_t>(i)];
    store(op.log_sum_exp, i, 0, log_sum_exp);
    store(op.log_probability, i, 0, load<T>(op.logits, i, label) - log_sum_exp);
  }
}

template <class T>
void reference(const ops::HeadGradient& op) {
  for (std::int64_t i = 0; i < op.logits.rows(); ++i) {
    const T coefficient = load<T>(op.coefficient, i);
    const T log_sum_exp = load<T>(op.log_sum_exp, i);
    const std::int32_t label = op.labels[static_cast<std::size_t>(i)];
    for (std::int64_t v = 0; v < op.logits.columns(); ++v) {
      const T p = std::exp(load<T>(op.logits, i, v) - log_sum_exp);
      store(op.logits, i, v, coefficient * (p - (v == label ? 1.0 : 0.0)));
    }
  }
}

inline DType number_dtype(const ops::HeadStatistics& op) {
  return op.logits.dtype();
}
inline DType number_dtype(const ops::HeadGradient& op) {
  return op.logits.dtype();
}

}  // namespace hone::kernels::reference
