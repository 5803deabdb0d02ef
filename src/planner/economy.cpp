#include "planner/economy.h"

#include <algorithm>

namespace hone::planner {
namespace {

constexpr double kRecomputationCost = 0.5;
constexpr double kRowsLostPerMicroStep = 120.0;

// Finer steps than a tenth of the blocks save little and take time to try.
constexpr std::int64_t kSharesOfBlocks = 10;

double relative_cost(std::int64_t tokens, std::int64_t recomputed, std::int64_t blocks) {
  const double share = static_cast<double>(recomputed) / static_cast<double>(blocks);
  return (1.0 + kRecomputationCost * share) *
         (1.0 + kRowsLostPerMicroStep / static_cast<double>(tokens));
}

}  // namespace

std::vector<Economy> economies(std::int64_t wanted_tokens, std::int64_t least_tokens,
                               std::int64_t blocks) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = wanted_tokens; size > least_tokens; size = size * 3 / 4) {
    sizes.push_back(size);
  }
  sizes.push_back(std::min(wanted_tokens, least_tokens));
  std::vector<std::int64_t> shares = {0};
  const std::int64_t stride = std::max<std::int64_t>(1, blocks / kSharesOfBlocks);
  while (shares.back() < blocks) shares.push_back(std::min(blocks, shares.back() + stride));
  std::vector<Economy> choices;
  for (const std::int64_t size : sizes) {
    for (const std::int64_t recomputed : shares) {
      choices.push_back({size, recomputed, relative_cost(size, recomputed, blocks)});
    }
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Economy& a, const Economy& b) { return a.cost < b.cost; });
  return choices;
}

}  // namespace hone::planner
