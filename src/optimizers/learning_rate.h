// Learning-rate schedules, as transformers defines them.
//
// With s the number of updates done before this one, W warm-up updates and T updates in all, the
// rate is base times
//   s < W                    s / max(1, W)      (not for `constant`, which has no warm-up)
//   constant                 1
//   constant_with_warmup     1
//   linear                   max(0, (T - s) / max(1, T - W))
//   cosine                   max(0, (1 + cos(pi (s - W) / max(1, T - W))) / 2)
#pragma once

#include <cstdint>

namespace hone::optimizers {

enum class LearningRateKind { constant, constant_with_warmup, linear, cosine };

struct LearningRateSchedule {
  LearningRateKind kind = LearningRateKind::linear;
  double base = 5e-5;
  std::int64_t warmup_steps = 0;
  std::int64_t total_steps = 0;

  // The rate of the update that comes after `updates_done` others.
  double at(std::int64_t updates_done) const;
};

}  // namespace hone::optimizers
