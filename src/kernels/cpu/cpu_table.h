// The kernels of the CPU: f32 activations, weights of f32, bf16 or f16, sums in f32 or f64.
//
// Highway picks the best instruction set at run time; threads are OpenMP's, as many as
// OpContext::threads says. Reductions over tokens go over fixed row blocks or run whole inside one
// thread, and products are cut by their shape, so the number of threads changes no result.
#pragma once

#include "ops/op_table.h"

namespace hone::kernels {

const ops::OpTable& cpu_table();

}  // namespace hone::kernels
