#include "optimizers/plateau.h"

#include <algorithm>
#include <limits>

namespace hone::optimizers {

Plateau::Plateau(const PlateauOptions& options, double rate)
    : options_(options),
      rate_(rate),
      best_(options.larger_is_better ? -std::numeric_limits<double>::infinity()
                                     : std::numeric_limits<double>::infinity()) {}

bool Plateau::is_better(double measure) const {
  const double sign = options_.larger_is_better ? 1.0 : -1.0;
  const double bar = options_.relative ? best_ * (1.0 + sign * options_.threshold)
                                       : best_ + sign * options_.threshold;
  return options_.larger_is_better ? measure > bar : measure < bar;
}

void Plateau::see(double measure) {
  if (is_better(measure)) {
    best_ = measure;
    bad_ = 0;
  } else {
    ++bad_;
  }
  if (cooling_ > 0) {
    --cooling_;
    bad_ = 0;
  }
  if (bad_ <= options_.patience) return;
  const double lower = std::max(rate_ * options_.factor, options_.least);
  if (rate_ - lower > options_.smallest_change) rate_ = lower;
  cooling_ = options_.cooldown;
  bad_ = 0;
}

}  // namespace hone::optimizers
