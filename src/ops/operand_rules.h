// Shared wording of the shape and dtype rules that operations check.
#pragma once

#include "base/error.h"
#include "base/tensor_view.h"

namespace hone::ops {

// `operand` has exactly `shape`. Zero-sized operands may lack data.
#define HONE_OPERAND_SHAPE(operand, ...)                                                      \
  HONE_ASSERT((operand).shape() == (::hone::Shape{__VA_ARGS__}), (operand).shape().to_text(), \
              ::hone::Shape({__VA_ARGS__}).to_text())

#define HONE_OPERAND_DTYPE(operand, wanted) \
  HONE_ASSERT((operand).dtype() == (wanted), name((operand).dtype()), name(wanted))

// Weights may be stored narrower than activations.
inline bool is_weight_dtype(DType weight, DType activation) {
  return weight == activation ||
         (activation == DType::f32 && (weight == DType::bf16 || weight == DType::f16));
}

inline double bytes_of(const ConstTensorView& view) {
  return static_cast<double>(view.bytes());
}

}  // namespace hone::ops
