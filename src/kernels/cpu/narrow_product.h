// Products against few rows: of the weights by a token or two (generation reads each weight once;
// 16-bit ones are widened in registers), and of many tokens by the few rows of a LoRA matrix.
#pragma once

#include <cstdint>

#include "base/tensor_view.h"

namespace hone::kernels::cpu {

// Up to this many rows the library's packing costs more than it brings.
constexpr std::int64_t kNarrowRows = 8;

// c[m][n] = or += sum over k of a[m][k] b[n][k], for a of few rows; threads share b.
void narrow_product(int threads, const ConstTensorView& a, const ConstTensorView& b, TensorView c,
                    bool accumulate);

// The same in the calling thread, for rows [first, last) of b alone.
void dot_products(const ConstTensorView& a, const ConstTensorView& b, TensorView c, bool accumulate,
                  std::int64_t first, std::int64_t last);

}  // namespace hone::kernels::cpu
