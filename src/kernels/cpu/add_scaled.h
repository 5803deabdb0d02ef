// y += scale * x over arrays: the inner loop of several kernels.
#pragma once

#include <cstdint>

namespace hone::kernels::cpu {

void add_scaled(const float* x, float scale, float* y, std::int64_t count);

}  // namespace hone::kernels::cpu
