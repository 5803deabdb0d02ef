#include "optimizers/learning_rate.h"

#include <algorithm>
#include <cmath>

namespace hone::optimizers {

double LearningRateSchedule::at(std::int64_t updates_done) const {
  const double done = static_cast<double>(updates_done);
  const double warmup = static_cast<double>(warmup_steps);
  const double total = static_cast<double>(total_steps);
  if (kind == LearningRateKind::constant) return base;
  if (done < warmup) return base * (done / std::max(1.0, warmup));
  switch (kind) {
    case LearningRateKind::linear:
      return base * std::max(0.0, (total - done) / std::max(1.0, total - warmup));
    case LearningRateKind::cosine: {
      constexpr double kPi = 3.14159265358979323846;
      const double progress = (done - warmup) / std::max(1.0, total - warmup);
      return base * std::max(0.0, 0.5 * (1.0 + std::cos(kPi * progress)));
    }
    default:
      return base;
  }
}

}  // namespace hone::optimizers
