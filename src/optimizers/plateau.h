// A learning rate that falls where a measure of evaluations no longer improves: torch's
// ReduceLROnPlateau, which transformers calls reduce_lr_on_plateau.
//
// A measure is better than the best so far when it is beyond it by more than the threshold:
// relative, best times 1 - threshold (1 + threshold where larger is better); else best - threshold
// (best + threshold). What is no number is never better. After more than `patience` measures in a
// row that were not better the rate becomes max(rate * factor, least), unless that changes it by no
// more than `smallest_change`; the `cooldown` measures after that are not counted.
#pragma once

#include <cstdint>

namespace hone::optimizers {

struct PlateauOptions {
  bool larger_is_better = false;
  double factor = 0.1;  // below 1
  std::int64_t patience = 10;
  double threshold = 1e-4;
  bool relative = true;
  std::int64_t cooldown = 0;
  double least = 0.0;
  double smallest_change = 1e-8;
};

class Plateau {
 public:
  Plateau(const PlateauOptions& options, double rate);

  double rate() const { return rate_; }
  void see(double measure);

 private:
  bool is_better(double measure) const;

  PlateauOptions options_;
  double rate_;
  double best_;
  std::int64_t bad_ = 0;  // in a row
  std::int64_t cooling_ = 0;
};

}  // namespace hone::optimizers
