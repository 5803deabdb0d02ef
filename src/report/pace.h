// How fast a run is, and how long it will still take.
#pragma once

#include <cstdint>
#include <optional>

#include "report/events.h"

namespace hone::report {

// Tokens per second are smoothed over about the last ten steps, or ten seconds where steps are
// shorter, so that one slow step neither hides nor rules. The time left is the tokens left at that
// rate, and per step left the mean of what came between steps so far (evaluation, saving).
class Pace {
 public:
  void start(const RunStarted& run);
  void step(const StepFinished& step);

  // Real tokens per second of training; nothing before the first step that had any.
  std::optional<double> tokens_per_second() const;

  // Nothing before the first step of this process.
  std::optional<double> seconds_left() const;

 private:
  RunStarted run_;
  std::int64_t step_ = 0;
  std::int64_t steps_here_ = 0;   // in this process
  std::int64_t tokens_here_ = 0;  // in this process
  std::int64_t tokens_seen_ = 0;
  double step_seconds_ = 0;  // sum over steps_here_
  double elapsed_seconds_ = 0;
  double recent_tokens_ = 0;  // decayed sums
  double recent_seconds_ = 0;
};

}  // namespace hone::report
