// Learning-rate schedules, as transformers (optimization.py) defines them.
//
// With s the number of updates done before this one, W warm-up updates, T updates in all and
// p = (s - W) / max(1, T - W), the rate is base times
//   s < W                    s / max(1, W)      (not for `constant`, which has no warm-up)
//   constant                 1
//   constant_with_warmup     1
//   linear                   max(0, (T - s) / max(1, T - W))
//   cosine                   max(0, (1 + cos(2 pi cycles p)) / 2), cycles usually 1/2
//   cosine_with_restarts     0 where p >= 1, else (1 + cos(pi ((cycles p) mod 1))) / 2
//   polynomial               r^power (1 - end / base) + end / base, r = 1 - (s - W) / (T - W);
//                            end / base beyond T
//   inverse_sqrt             1 / sqrt((s - W + timescale) / timescale)
//   cosine_with_min_lr       c (1 - floor) + floor, c the cosine above without its max
//   cosine_warmup_with_min_lr   the same with s + 1 for s, in warm-up too; with warmup_floor the
//                            warm-up is warmup_floor + (1 - warmup_floor) s / max(1, W - 1)
//   warmup_stable_decay      warm-up by warmup_shape from floor to 1, then 1 for `stable` updates,
//                            then `decay` updates by decay_shape from 1 to floor, then floor
// Shapes with x from 0 to 1, rising: linear x, cosine (1 - cos(pi x)) / 2, 1 - sqrt(1 - x);
// falling: 1 - x, (1 + cos(2 pi cycles x)) / 2, 1 - sqrt(x).
#pragma once

#include <cstdint>
#include <optional>

namespace hone::optimizers {

enum class LearningRateKind {
  constant,
  constant_with_warmup,
  linear,
  cosine,
  cosine_with_restarts,
  polynomial,
  inverse_sqrt,
  cosine_with_min_lr,
  cosine_warmup_with_min_lr,
  warmup_stable_decay
};

enum class RateShape { linear, cosine, one_minus_sqrt };

struct LearningRateSchedule {
  LearningRateKind kind = LearningRateKind::linear;
  double base = 5e-5;
  std::int64_t warmup_steps = 0;
  std::int64_t total_steps = 0;

  // Of the kinds that have them, see above.
  double cycles = 0.5;
  double power = 1.0;
  double end = 1e-7;
  double timescale = 10000;
  double floor = 0.0;  // share of base
  std::optional<double> warmup_floor = std::nullopt;
  std::int64_t stable_steps = 0;
  std::int64_t decay_steps = 0;
  RateShape warmup_shape = RateShape::linear;
  RateShape decay_shape = RateShape::cosine;

  // The rate of the update that comes after `updates_done` others.
  double at(std::int64_t updates_done) const;
};

}  // namespace hone::optimizers
