// The numbers of one AdamW step, the same for every element.
#pragma once

#include <cstdint>

namespace hone::kernels::cpu {

struct AdamWNumbers {
  float gradient_scale;
  float decay;  // 1 - learning_rate * weight_decay
  float one_minus_beta1;
  float beta2;
  float one_minus_beta2;
  float step_size;             // learning_rate / (1 - beta1^step)
  float inv_root_correction2;  // 1 / sqrt(1 - beta2^step)
  float epsilon;
  bool stochastic;
  std::uint64_t seed;
  std::uint64_t first_index;  // random index of element 0
};

}  // namespace hone::kernels::cpu
