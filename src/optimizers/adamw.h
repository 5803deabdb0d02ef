// AdamW, with f32 state, or with bf16 state and stochastic rounding (`adamw_bf16`).
#pragma once

#include <memory>

#include "optimizers/optimizer.h"

namespace hone::optimizers {

struct AdamWOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  DType state = DType::f32;          // or bf16
  bool stochastic_rounding = false;  // of bf16 state and bf16 weights
  std::uint64_t seed = 0;            // of the rounding
};

std::unique_ptr<Optimizer> make_adamw(const AdamWOptions& options, std::vector<Segment> segments,
                                      std::int64_t elements);

}  // namespace hone::optimizers
