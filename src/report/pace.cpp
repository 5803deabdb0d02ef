#include "report/pace.h"

#include <algorithm>

namespace hone::report {

namespace {

constexpr double kWindowSteps = 10;
constexpr double kWindowSeconds = 10;

}  // namespace

void Pace::start(const RunStarted& run) {
  *this = Pace();
  run_ = run;
  step_ = run.first_step;
  tokens_seen_ = run.tokens_seen;
}

void Pace::step(const StepFinished& step) {
  step_ = step.step;
  ++steps_here_;
  tokens_here_ += step.tokens;
  tokens_seen_ = step.tokens_seen;
  step_seconds_ += step.seconds;
  elapsed_seconds_ = std::max(step.elapsed_seconds, step_seconds_);
  const double forget = std::min(1 / kWindowSteps, step.seconds / kWindowSeconds);
  recent_tokens_ = recent_tokens_ * (1 - forget) + static_cast<double>(step.tokens);
  recent_seconds_ = recent_seconds_ * (1 - forget) + step.seconds;
}

std::optional<double> Pace::tokens_per_second() const {
  if (recent_seconds_ <= 0 || recent_tokens_ <= 0) return std::nullopt;
  return recent_tokens_ / recent_seconds_;
}

std::optional<double> Pace::seconds_left() const {
  if (steps_here_ == 0) return std::nullopt;
  const auto steps_left = static_cast<double>(std::max<std::int64_t>(0, run_.total_steps - step_));
  if (steps_left == 0) return 0;
  const auto steps_done = static_cast<double>(steps_here_);
  const auto rate = tokens_per_second();
  if (!rate) return steps_left * elapsed_seconds_ / steps_done;
  double tokens_left = steps_left * static_cast<double>(tokens_here_) / steps_done;
  if (run_.total_tokens) {
    tokens_left = static_cast<double>(std::max<std::int64_t>(0, *run_.total_tokens - tokens_seen_));
  }
  const double between_steps = (elapsed_seconds_ - step_seconds_) / steps_done;
  return tokens_left / *rate + steps_left * between_steps;
}

}  // namespace hone::report
