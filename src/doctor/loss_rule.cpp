#include "doctor/loss_rule.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doctor/knowledge/entry.h"

namespace hone::doctor {
namespace {

using Kind = LossVerdict::Kind;

// The numbers of the rule; docs/doctor.md explains each.
constexpr double kLeastFall = 0.03;        // of the level: what a healthy run falls by
constexpr double kLargestRise = 0.15;      // of the lowest level
constexpr double kWideSwing = 0.2;         // of the level: noise that is wide
constexpr double kGrowingSwing = 3;        // times the noise of the first half
constexpr double kSureness = 2;            // standard errors
constexpr double kLearned = 0.1;           // a level below it has nothing left to fall
constexpr double kTinyRate = 1e-6;         // a learning rate below it moves nothing
constexpr double kMedianToSigma = 1.4826;  // of a normal distribution

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> part(const std::vector<double>& values, std::size_t first, std::size_t count) {
  const auto start = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {start, start + static_cast<std::ptrdiff_t>(count)};
}

// The noise from one loss to the next, whatever the trend.
double noise(const std::vector<double>& losses) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < losses.size(); ++i) {
    changes.push_back(std::abs(losses[i] - losses[i - 1]));
  }
  return kMedianToSigma * median(changes) / std::sqrt(2.0);
}

// Fitted line through the losses: its change from the first to the last, and that one's standard
// error (least squares).
struct Trend {
  double change = 0;
  double error = 0;
};

Trend trend(const std::vector<double>& losses) {
  const auto n = static_cast<double>(losses.size());
  double mean = 0;
  for (const double loss : losses) mean += loss / n;
  const double middle = (n - 1) / 2;
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double x = static_cast<double>(i) - middle;
    xx += x * x;
    xy += x * (losses[i] - mean);
  }
  const double slope = xy / xx;
  double rest = 0;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const double off = losses[i] - mean - slope * (static_cast<double>(i) - middle);
    rest += off * off;
  }
  return {slope * (n - 1), std::sqrt(rest / (n - 2) / xx) * (n - 1)};
}

// What the rule looks at.
struct Curve {
  double start = 0;   // mean of the first losses
  double end = 0;     // median of the last fifth
  double lowest = 0;  // of the medians of windows of that width
  double noise_before = 0;
  double noise_after = 0;
  double window_error = 0;  // standard error of such a median
  Trend trend;
};

Curve measure(const std::vector<double>& losses) {
  Curve curve;
  const std::size_t few = std::max<std::size_t>(3, losses.size() / 20);
  for (const double loss : part(losses, 0, few)) curve.start += loss / static_cast<double>(few);
  const std::size_t window = std::max<std::size_t>(5, losses.size() / 5);
  curve.end = median(part(losses, losses.size() - window, window));
  curve.lowest = curve.end;
  for (std::size_t at = 0; at + window <= losses.size(); ++at) {
    curve.lowest = std::min(curve.lowest, median(part(losses, at, window)));
  }
  const std::size_t half = losses.size() / 2;
  curve.noise_before = noise(part(losses, 0, half));
  curve.noise_after = noise(part(losses, half, losses.size() - half));
  constexpr double kMedianError = 1.2533;  // of a median against a mean, normal distribution
  curve.window_error = kMedianError * std::max(curve.noise_before, curve.noise_after) /
                       std::sqrt(static_cast<double>(window));
  curve.trend = trend(losses);
  return curve;
}

Kind kind_of(const Curve& curve) {
  const double rise = curve.end - curve.lowest;
  const double rise_allowed =
      std::max(kLargestRise * curve.lowest, 2 * kSureness * curve.window_error);
  if (rise > rise_allowed && curve.end > kLearned) return Kind::rises;
  const bool swings = curve.noise_after > kWideSwing * curve.end &&
                      curve.noise_after > kGrowingSwing * curve.noise_before;
  if (swings && curve.end > kLearned) return Kind::swings;
  const double least = kLeastFall * curve.start;
  const bool fell_at_first = curve.start - curve.end > least + kSureness * curve.window_error;
  if (fell_at_first || curve.trend.change + kSureness * curve.trend.error < 0) {
    return Kind::falls;
  }
  const bool surely_flat = curve.trend.change - kSureness * curve.trend.error > -least;
  return surely_flat && curve.end > kLearned ? Kind::flat : Kind::unsure;
}

struct Rates {
  double first = 0;
  double peak = 0;
};

std::optional<Rates> rates(const std::vector<LossPoint>& points) {
  std::optional<Rates> found;
  for (const LossPoint& point : points) {
    if (!point.learning_rate) continue;
    if (!found) found = Rates{*point.learning_rate, 0};
    found->peak = std::max(found->peak, *point.learning_rate);
  }
  return found;
}

std::string remedy_of(Kind kind, const std::vector<LossPoint>& points) {
  const std::optional<Rates> rate = rates(points);
  if (kind == Kind::flat && rate && rate->peak < kTinyRate) {
    return fmt::format("raise learning_rate: {:.2g} is too small to move anything", rate->peak);
  }
  std::string text =
      rate ? fmt::format("lower learning_rate from {:.2g} to {:.2g}", rate->peak, rate->peak / 2)
           : std::string("halve learning_rate (1e-4 to 5e-5)");
  const bool warms_up = rate && rate->first < rate->peak / 2;
  text += warms_up ? ", and make the warm-up longer" : ", and set warmup_ratio: 0.1";
  return text + "; with fp16: true use bf16: true instead";
}

std::string sentence(Kind kind, const Curve& curve) {
  switch (kind) {
    case Kind::rises:
      return fmt::format("the loss rose again, from {:.3g} at its lowest to {:.3g} at the end",
                         curve.lowest, curve.end);
    case Kind::swings:
      return fmt::format("the loss swings more and more widely, by {:.3g} around {:.3g} at the end",
                         curve.noise_after, curve.end);
    case Kind::flat:
      return fmt::format("the loss does not fall: {:.3g} at the beginning, {:.3g} at the end",
                         curve.start, curve.end);
    case Kind::falls:
      return fmt::format("the loss falls, from {:.3g} to {:.3g}", curve.start, curve.end);
    default:
      return fmt::format(
          "the loss, {:.3g} at the beginning and {:.3g} at the end, varies too much "
          "to tell",
          curve.start, curve.end);
  }
}

}  // namespace

LossVerdict judge_losses(const std::vector<LossPoint>& points) {
  std::vector<double> losses;
  for (const LossPoint& point : points) {
    if (!point.loss || !std::isfinite(*point.loss)) {
      return {Kind::not_a_number, fmt::format("the loss of step {} is not a number", point.step),
              "use bf16: true instead of fp16: true, and lower learning_rate"};
    }
    losses.push_back(*point.loss);
  }
  if (losses.size() < kFewestLosses) {
    return {Kind::too_few,
            fmt::format("{} logged losses are too few to judge; {} are needed", losses.size(),
                        kFewestLosses),
            ""};
  }
  const Curve curve = measure(losses);
  const Kind kind = kind_of(curve);
  const bool alarm = kind == Kind::flat || kind == Kind::rises || kind == Kind::swings;
  return {kind, sentence(kind, curve), alarm ? remedy_of(kind, points) : ""};
}

}  // namespace hone::doctor
