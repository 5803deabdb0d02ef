// Copies of weights as f32: what every other kernel computes with.
#pragma once

#include <cstdint>

#include "base/dtype.h"
#include "base/tensor_view.h"

namespace hone::kernels::cpu {

// Elements [0, count) at `from`, of dtype f32, bf16 or f16, as f32.
void widen(DType dtype, const void* from, std::int64_t count, float* to);

// The elements of a weight vector as f32: the weight itself, or a copy in `space`.
const float* widened(const ConstTensorView& weight, float* space);

// Elements of space that widened() wants.
std::int64_t widened_elements(const ConstTensorView& weight);

}  // namespace hone::kernels::cpu
