#include "train/straggler_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::train {

std::optional<std::string> StragglerWatch::compare(const std::vector<double>& seconds,
                                                   std::int64_t steps, std::int64_t step) {
  HONE_ASSERT(seconds.size() >= 2 && steps > 0, seconds.size(), steps);
  const auto slowest = std::max_element(seconds.begin(), seconds.end());
  const auto rank = static_cast<std::size_t>(slowest - seconds.begin());
  std::vector<double> others = seconds;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(rank));
  std::sort(others.begin(), others.end());
  const double median = others[others.size() / 2];
  const double least = kLeastSecondsPerStep * static_cast<double>(steps);
  if (*slowest < kFactor * median || *slowest - median < least) {
    named_.reset();
    return std::nullopt;
  }
  if (named_ == rank) return std::nullopt;
  named_ = rank;
  const std::string place = rank < places_.size() ? " (" + places_[rank] + ")" : std::string();
  return fmt::format(
      "steps {} to {}: rank {}{} computed for {:.2f} s, the others for {:.2f} s, and wait for it: "
      "is its machine slower, hot, or shared?",
      step - steps + 1, step, rank, place, *slowest, median);
}

}  // namespace hone::train
