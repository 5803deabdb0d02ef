// The progress bar as text: one line for a state and a width. Pure: writing and erasing it is the
// console's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hone::report {

struct ProgressState {
  std::int64_t step = 0;  // done
  std::int64_t total_steps = 0;
  double part = 0;  // of the next step, 0 to 1
  // Nothing before the first step of this process.
  struct Latest {
    std::optional<double> loss;  // nothing: the step had no labels
    double learning_rate = 0;
  };
  std::optional<Latest> latest;
  std::optional<double> tokens_per_second;
  std::optional<double> seconds_left;
  bool only_evaluates = false;  // steps are records then, and there are no tokens per second
  std::string activity;  // ASCII; what goes on beside steps, "evaluating 12/30"; may be empty
};

// "step 12/30 ━━━━━╺──── 40 % · loss 1.234 · lr 5e-05 · 301 tok/s · ETA 0:01:23", at most
// `columns` wide. Where room is short the bar shrinks, then parts go: learning rate, bar,
// percentage, activity, loss, ETA; step and tokens per second stay until the line is cut. ASCII
// only when `utf8` is false.
std::string progress_line(const ProgressState& state, int columns, bool utf8);

}  // namespace hone::report
