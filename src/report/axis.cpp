#include "report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::report {

namespace {

// A span below this share of the values' size is rounding, not information, and its ticks would
// need more digits than anyone reads.
constexpr double kLeastRelativeSpan = 1e-7;

double nice_step_at_least(double wanted) {
  const double power = std::pow(10.0, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    // Room for the rounding of log10 and pow: 0.2 must not be refused for 0.20000000000000001.
    if (factor * power >= wanted * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Range with_air(double low, double high, double air) {
  HONE_ASSERT(low <= high, low, high);
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= size * kLeastRelativeSpan) {
    const double middle = (low + high) / 2;
    const double half = size > 0 ? size * 0.05 : 0.5;
    return {middle - half, middle + half};
  }
  const double space = (high - low) * air;
  return {low - space, high + space};
}

Ticks nice_ticks(const Range& range, int most, bool whole) {
  HONE_ASSERT(range.low < range.high && most >= 2, range.low, range.high, most);
  const double span = range.high - range.low;
  Ticks ticks;
  ticks.step = nice_step_at_least(span / most);
  if (whole) ticks.step = std::max(1.0, ticks.step);
  // The range has most * step extent at the most, which can hold one tick too many.
  while (std::floor(range.high / ticks.step) - std::ceil(range.low / ticks.step) + 1 > most) {
    ticks.step = nice_step_at_least(ticks.step * 1.01);
  }
  const double first = std::ceil(range.low / ticks.step);
  const double last = std::floor(range.high / ticks.step);
  for (double index = first; index <= last; ++index) ticks.values.push_back(index * ticks.step);
  return ticks;
}

std::vector<std::string> tick_labels(const Ticks& ticks) {
  double largest = 0;
  for (const double value : ticks.values) largest = std::max(largest, std::abs(value));
  std::vector<std::string> labels;
  const bool plain = largest < 1e6 && ticks.step >= 0.9e-5;
  const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(ticks.step * 1.01))));
  const auto order = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
  const int digits = std::max(0, order(std::max(largest, ticks.step)) - order(ticks.step)) + 1;
  for (const double value : ticks.values) {
    // "-0.0" for a zero that was reached from below.
    const double shown = value == 0 ? 0.0 : value;
    labels.push_back(plain ? fmt::format("{:.{}f}", shown, decimals)
                           : fmt::format("{:.{}g}", shown, digits));
  }
  return labels;
}

}  // namespace hone::report
