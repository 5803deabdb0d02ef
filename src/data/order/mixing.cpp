#include "data/order/mixing.h"

#include <algorithm>

#include "base/error.h"

namespace hone::data {
namespace {

using Rows = std::vector<std::vector<std::int64_t>>;

RowRef taken_row(const Rows& taken, std::size_t set, std::size_t place) {
  return {static_cast<std::int32_t>(set), static_cast<std::int32_t>(taken[set][place])};
}

std::vector<RowRef> one_after_another(const Rows& taken) {
  std::size_t total = 0;
  for (const auto& rows : taken) total += rows.size();
  std::vector<RowRef> merged;
  merged.reserve(total);
  for (std::size_t set = 0; set < taken.size(); ++set) {
    for (std::size_t place = 0; place < taken[set].size(); ++place) {
      merged.push_back(taken_row(taken, set, place));
    }
  }
  return merged;
}

std::vector<RowRef> round_robin(const Rows& taken, MixStrategy strategy) {
  std::size_t shortest = taken.front().size();
  std::size_t longest = 0;
  for (const auto& rows : taken) {
    shortest = std::min(shortest, rows.size());
    longest = std::max(longest, rows.size());
  }
  const std::size_t rounds = strategy == MixStrategy::interleave_under ? shortest : longest;
  std::vector<RowRef> merged;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t set = 0; set < taken.size(); ++set) {
      const std::size_t rows = taken[set].size();
      if (strategy == MixStrategy::interleave_once && round >= rows) continue;
      merged.push_back(taken_row(taken, set, round % rows));
    }
  }
  return merged;
}

// Whose turn it is. With shares as Generator.choice draws: the first set whose cumulated share is
// above a uniform number. Without: one after another.
class SetDraw {
 public:
  SetDraw(std::size_t sets, std::span<const double> probabilities, std::uint64_t seed)
      : sets_(sets), random_(seed) {
    double sum = 0.0;
    for (const double share : probabilities) cumulated_.push_back(sum += share);
    for (double& value : cumulated_) value /= sum;
  }
  std::size_t next() {
    if (cumulated_.empty()) return turn_++ % sets_;
    const auto found = std::upper_bound(cumulated_.begin(), cumulated_.end(), random_.uniform());
    const auto set = static_cast<std::size_t>(found - cumulated_.begin());
    return std::min(set, cumulated_.size() - 1);
  }

 private:
  std::size_t sets_;
  std::size_t turn_ = 0;
  NumpyGenerator random_;
  std::vector<double> cumulated_;
};

std::vector<RowRef> by_turns(const Rows& taken, MixStrategy strategy,
                             std::span<const double> probabilities, std::uint64_t seed) {
  SetDraw draw(taken.size(), probabilities, seed);
  std::vector<std::size_t> places(taken.size(), 0);
  std::vector<bool> ended(taken.size(), false);
  std::size_t ended_sets = 0;
  const std::size_t enough = strategy == MixStrategy::interleave_under ? 1 : taken.size();
  std::vector<RowRef> merged;
  while (ended_sets < enough) {
    const std::size_t set = draw.next();
    if (strategy == MixStrategy::interleave_once && ended[set]) continue;
    merged.push_back(taken_row(taken, set, places[set]));
    if (++places[set] < taken[set].size()) continue;
    places[set] = 0;
    if (!ended[set]) ++ended_sets;
    ended[set] = true;
  }
  return merged;
}

}  // namespace

std::vector<std::int64_t> draw_rows(NumpyLegacyGenerator& random, std::int64_t rows,
                                    std::int64_t wanted) {
  HONE_ASSERT(rows >= 1 && wanted >= 1, rows, wanted);
  std::vector<std::int64_t> drawn_rows = random.permutation(rows);
  if (wanted < rows) drawn_rows.resize(static_cast<std::size_t>(wanted));
  drawn_rows.reserve(static_cast<std::size_t>(wanted));
  for (std::int64_t more = wanted - rows; more > 0; --more) {
    drawn_rows.push_back(random.choice(rows));
  }
  return drawn_rows;
}

std::vector<RowRef> mix_rows(const Rows& taken, MixStrategy strategy,
                             std::span<const double> probabilities, std::uint64_t seed,
                             bool streamed) {
  HONE_ASSERT(probabilities.empty() || probabilities.size() == taken.size(), probabilities.size(),
              taken.size());
  for (const auto& rows : taken) HONE_ASSERT(!rows.empty());
  if (taken.size() <= 1 || strategy == MixStrategy::concat) return one_after_another(taken);
  if (probabilities.empty() && !streamed) return round_robin(taken, strategy);
  return by_turns(taken, strategy, probabilities, seed);
}

}  // namespace hone::data
