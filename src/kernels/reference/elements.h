// Element access for reference kernels: any dtype in, the number type T in between, any dtype out.
//
// T is double for ordinary operands, so a reference result is the exact one rounded once when it is
// stored; or complex<double> for c128 operands, which proves gradients by the complex step. Never
// use abs, conj or comparisons of imaginary parts on T: they are not analytic.
#pragma once

#include <complex>
#include <cstdint>

#include "base/error.h"
#include "base/tensor_view.h"

namespace hone::kernels::reference {

using Complex = std::complex<double>;

inline double real_part(double value) {
  return value;
}
inline double real_part(const Complex& value) {
  return value.real();
}

inline double load_real(const ConstTensorView& view, std::int64_t row, std::int64_t column) {
  switch (view.dtype()) {
    case DType::f64:
      return view.row<double>(row)[column];
    case DType::f32:
      return view.row<float>(row)[column];
    case DType::bf16:
      return to_float(view.row<BFloat16>(row)[column]);
    case DType::f16:
      return to_float(view.row<Float16>(row)[column]);
    default:
      HONE_ASSERT(false, name(view.dtype()));
      return 0.0;
  }
}

// Element (row, column) of a view, its inner axes taken as one.
template <class T>
T load(const ConstTensorView& view, std::int64_t row, std::int64_t column = 0) {
  if constexpr (std::is_same_v<T, Complex>) {
    if (view.dtype() == DType::c128) return view.row<Complex>(row)[column];
  }
  return T(load_real(view, row, column));
}

inline void store(const TensorView& view, std::int64_t row, std::int64_t column, double value) {
  switch (view.dtype()) {
    case DType::f64:
      view.row<double>(row)[column] = value;
      break;
    case DType::f32:
      view.row<float>(row)[column] = static_cast<float>(value);
      break;
    case DType::bf16:
      view.row<BFloat16>(row)[column] = to_bfloat16(static_cast<float>(value));
      break;
    case DType::f16:
      view.row<Float16>(row)[column] = to_float16(static_cast<float>(value));
      break;
    default:
      HONE_ASSERT(false, name(view.dtype()));
  }
}

inline void store(const TensorView& view, std::int64_t row, std::int64_t column,
                  const Complex& value) {
  view.row<Complex>(row)[column] = value;
}

// Adds to an element, or assigns it.
template <class T>
void put(const TensorView& view, std::int64_t row, std::int64_t column, const T& value,
         bool accumulate) {
  store(view, row, column, accumulate ? load<T>(view, row, column) + value : value);
}

}  // namespace hone::kernels::reference
