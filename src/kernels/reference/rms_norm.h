#pragma once

#include <cmath>

#include "kernels/reference/elements.h"
#include "ops/rms_norm.h"

namespace hone::kernels::reference {

// One normalised vector: `width` elements of row `row` from column `first`; statistic (row, group).
struct NormGroup {
  std::int64_t row, group, first, width;
};

template <class Visit>
void for_each_group(const ConstTensorView& x, const Visit& visit) {
  const std::int64_t width = x.shape()[-1];
  const std::int64_t groups = width == 0 ? 0 : x.columns() / width;
  for (std::int64_t row = 0; row < x.rows(); ++row) {
    for (std::int64_t group = 0; group < groups; ++group) {
      visit(NormGroup{row, group, group * width, width});
    }
  }
}

template <class T>
void reference(const ops::RmsNormForward& op) {
  for_each_group(op.x, [&](const NormGroup& g) {
    T squares(0.0);
    for (std::int64_t d = g.first; d < g.first + g.width; ++d) {
      T value = load<T>(op.x, g.row, d);
      if (op.delta.present()) {
        value += load<T>(op.delta, g.row, d);
        store(op.sum, g.row, d, value);
        value = load<T>(op.sum, g.row, d);
      }
      squares += value * value;
    }
    const T inv_rms = T(1.0) / std::sqrt(squares / static_cast<double>(g.width) + op.epsilon);
    store(op.inv_rms, g.row, g.group, inv_rms);
    const ConstTensorView normed = op.delta.present() ? ConstTensorView(op.sum) : op.x;
    for (std::int64_t d = 0; d < g.width; ++d) {
      store(op.y, g.row, g.first + d,
            load<T>(normed, g.row, g.first + d) * inv_rms * load<T>(op.weight, d));
    }
  });
}

template <class T>
void reference(const ops::RmsNormBackward& op) {
  for_each_group(op.x, [&](const NormGroup& g) {
    const T inv_rms = load<T>(op.inv_rms, g.row, g.group);
    T mean(0.0);  // of g * n
    for (std::int64_t d = 0; d < g.width; ++d) {
      mean += load<T>(op.d_y, g.row, g.first + d) * load<T>(op.weight, d) *
              load<T>(op.x, g.row, g.first + d) * inv_rms;
    }
    mean /= static_cast<double>(g.width);
    for (std::int64_t d = 0; d < g.width; ++d) {
      const T d_y = load<T>(op.d_y, g.row, g.first + d);
      const T n = load<T>(op.x, g.row, g.first + d) * inv_rms;
      if (op.d_weight.present()) put(op.d_weight, d, 0, d_y * n, true);
      put(op.d_x, g.row, g.first + d, inv_rms * (d_y * load<T>(op.weight, d) - n * mean),
          !op.assign);
    }
  });
}

inline DType number_dtype(const ops::RmsNormForward& op) {
  return op.y.dtype();
}
inline DType number_dtype(const ops::RmsNormBackward& op) {
  return op.d_x.dtype();
}

}  // namespace hone::kernels::reference
