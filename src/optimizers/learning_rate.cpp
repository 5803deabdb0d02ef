#include "optimizers/learning_rate.h"

#include <algorithm>
#include <cmath>

namespace hone::optimizers {
namespace {

constexpr double kPi = 3.14159265358979323846;

double half_wave(double cycles, double progress) {
  return 0.5 * (1.0 + std::cos(kPi * cycles * 2.0 * progress));
}

double with_floor(double factor, double floor) {
  return factor * (1.0 - floor) + floor;
}

double rising(RateShape shape, double progress) {
  switch (shape) {
    case RateShape::linear:
      return progress;
    case RateShape::cosine:
      return 0.5 * (1.0 - std::cos(kPi * progress));
    case RateShape::one_minus_sqrt:
      return 1.0 - std::sqrt(1.0 - progress);
  }
  return 1.0;
}

double falling(RateShape shape, double cycles, double progress) {
  switch (shape) {
    case RateShape::linear:
      return 1.0 - progress;
    case RateShape::cosine:
      return half_wave(cycles, progress);
    case RateShape::one_minus_sqrt:
      return 1.0 - std::sqrt(progress);
  }
  return 0.0;
}

// The factors of a schedule after its warm-up, and of those whose warm-up is their own.
class Factor {
 public:
  Factor(const LearningRateSchedule& schedule, std::int64_t updates_done)
      : s_(schedule),
        done_(static_cast<double>(updates_done)),
        warmup_(static_cast<double>(schedule.warmup_steps)),
        total_(static_cast<double>(schedule.total_steps)) {}

  double value() const {
    if (s_.kind == LearningRateKind::constant) return 1.0;
    if (done_ < warmup_) return warming_up();
    return after_warm_up();
  }

 private:
  double warming_up() const {
    const double usual = done_ / std::max(1.0, warmup_);
    if (s_.kind == LearningRateKind::warmup_stable_decay) {
      return std::max(0.0, with_floor(rising(s_.warmup_shape, usual), s_.floor));
    }
    if (s_.kind != LearningRateKind::cosine_warmup_with_min_lr) return usual;
    if (!s_.warmup_floor) return (done_ + 1.0) / std::max(1.0, warmup_);
    return *s_.warmup_floor + (1.0 - *s_.warmup_floor) * done_ / std::max(1.0, warmup_ - 1.0);
  }

  double after_warm_up() const {
    const double rest = std::max(1.0, total_ - warmup_);
    const double progress = (done_ - warmup_) / rest;
    switch (s_.kind) {
      case LearningRateKind::linear:
        return std::max(0.0, (total_ - done_) / rest);
      case LearningRateKind::cosine:
        return std::max(0.0, half_wave(s_.cycles, progress));
      case LearningRateKind::cosine_with_restarts:
        if (progress >= 1.0) return 0.0;
        return std::max(0.0, 0.5 * (1.0 + std::cos(kPi * std::fmod(s_.cycles * progress, 1.0))));
      case LearningRateKind::polynomial:
        return polynomial();
      case LearningRateKind::inverse_sqrt:
        return 1.0 / std::sqrt((done_ - warmup_ + s_.timescale) / s_.timescale);
      case LearningRateKind::cosine_with_min_lr:
        return std::max(0.0, with_floor(half_wave(s_.cycles, progress), s_.floor));
      case LearningRateKind::cosine_warmup_with_min_lr:
        return std::max(0.0, with_floor(half_wave(s_.cycles, progress + 1.0 / rest), s_.floor));
      case LearningRateKind::warmup_stable_decay:
        return stable_and_decay();
      case LearningRateKind::constant:
      case LearningRateKind::constant_with_warmup:
        break;
    }
    return 1.0;
  }

  double polynomial() const {
    const double end = s_.end / s_.base;
    if (done_ > total_ || total_ <= warmup_) return end;
    const double left = 1.0 - (done_ - warmup_) / (total_ - warmup_);
    return (1.0 - end) * std::pow(left, s_.power) + end;
  }

  double stable_and_decay() const {
    const double decay_start = warmup_ + static_cast<double>(s_.stable_steps);
    if (done_ < decay_start) return 1.0;
    if (done_ >= decay_start + static_cast<double>(s_.decay_steps)) return s_.floor;
    const double progress =
        (done_ - decay_start) / std::max(1.0, static_cast<double>(s_.decay_steps));
    return std::max(0.0, with_floor(falling(s_.decay_shape, s_.cycles, progress), s_.floor));
  }

  const LearningRateSchedule& s_;
  double done_;
  double warmup_;
  double total_;
};

}  // namespace

double LearningRateSchedule::at(std::int64_t updates_done) const {
  return base * Factor(*this, updates_done).value();
}

}  // namespace hone::optimizers
