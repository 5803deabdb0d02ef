// Ways to save memory, and what they cost: which to try when a run must stay under a limit.
#pragma once

#include <cstdint>
#include <vector>

namespace hone::planner {

struct Economy {
  std::int64_t micro_step_tokens = 0;
  std::int64_t recomputed_blocks = 0;
  double cost = 1.0;  // relative time of a step

  bool operator==(const Economy&) const = default;
};

// Every choice worth trying, the cheapest first: micro-steps from `wanted_tokens` down to
// `least_tokens`, each with none to all of `blocks` recomputed.
//
// A recomputed block runs its forward again, at most half of what forward and backward cost without
// weight gradients. Smaller products run slower, as if every micro-step had 120 rows more (oneDNN's
// sgemm reaches 180 GFLOP/s at 512 rows where it has 220 at 1,024 and 232 at the most).
std::vector<Economy> economies(std::int64_t wanted_tokens, std::int64_t least_tokens,
                               std::int64_t blocks);

}  // namespace hone::planner
