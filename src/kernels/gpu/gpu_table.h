// The kernels of GPUs: f32 activations, weights of f32, bf16 or f16, sums in f32 (the gradient norm
// in f64). Single source: compiled here for the emulated device, and by HIP's compiler for cards.
//
// Matrix products are the vendor library's and not in this table: whoever opens the device fills
// that slot (on the emulated device with the CPU's).
#pragma once

#include "ops/op_table.h"

namespace hone::kernels {

const ops::OpTable& gpu_table();

}  // namespace hone::kernels
