// Which rank the others wait for.
//
// Every kSteps steps the ranks tell each other how long they computed, without what they waited for
// each other. One that took much longer than the one in the middle is named: once, and again when
// it is another rank or has been well in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::train {

class StragglerWatch {
 public:
  // Between two comparisons.
  static constexpr std::int64_t kSteps = 10;
  // A rank is named from so many times the median on,
  static constexpr double kFactor = 1.5;
  // and when the others wait for it at least so long per step.
  static constexpr double kLeastSecondsPerStep = 0.1;

  // `places` of the ranks, "host b, pid 4711"; may be empty.
  explicit StragglerWatch(std::vector<std::string> places) : places_(std::move(places)) {}

  // `seconds` that each rank computed in `steps` steps up to `step`; at least two ranks. A line for
  // people, or nothing.
  std::optional<std::string> compare(const std::vector<double>& seconds, std::int64_t steps,
                                     std::int64_t step);

 private:
  std::vector<std::string> places_;
  std::optional<std::size_t> named_;
};

}  // namespace hone::train
