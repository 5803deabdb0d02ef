// Timing on a machine that others use: the best of many short runs.
#pragma once

#include <functional>

namespace hone::bench {

// How time is taken. Processor time (shared out over the threads) is what remains meaningful beside
// busy neighbours; it misses what threads wait for each other.
struct Clock {
  int threads = 1;
  bool processor_time = false;

  double now() const;
};

// Seconds of the fastest of the runs that fit into about `budget_seconds` (at least three).
double best_seconds(const Clock& clock, double budget_seconds, const std::function<void()>& run);

// What this machine reaches now.
struct Roofs {
  double flops_per_second;  // a large f32 product
  double bytes_per_second;  // reading and writing in a copy that no cache holds
};
Roofs measure_roofs(const Clock& clock);

}  // namespace hone::bench
