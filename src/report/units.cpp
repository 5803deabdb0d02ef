#include "report/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string_view>

namespace hone::report {

namespace {

// Three significant digits, never an exponent: 1.66, 23.4, 138, 1023.
std::string three_digits(double value) {
  if (value >= 99.95) return fmt::format("{:.0f}", value);
  if (value >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

// Far beyond any run, and safely inside what a 64-bit count of seconds holds.
constexpr double kLongestSeconds = 1e15;

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {"KiB", "MiB", "GiB",
                                                             "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  // 1023.5 would be shown as "1024", which is one of the next unit.
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), kUnits[unit]);
}

std::string count_text(std::int64_t count) {
  const std::string digits = fmt::format("{}", count);
  const std::size_t sign = count < 0 ? 1 : 0;
  std::string text = digits.substr(0, sign);
  for (std::size_t at = sign; at < digits.size(); ++at) {
    if (at > sign && (digits.size() - at) % 3 == 0) text += ',';
    text += digits[at];
  }
  return text;
}

std::string clock_text(double seconds) {
  if (!std::isfinite(seconds) || seconds > kLongestSeconds) return "?";
  const auto whole = static_cast<std::int64_t>(seconds > 0 ? seconds : 0);
  const std::int64_t days = whole / 86400;
  const std::string clock =
      fmt::format("{}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
  if (days == 0) return clock;
  return fmt::format("{} day{}, {}", days, days == 1 ? "" : "s", clock);
}

std::string short_time_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 0.9995e-3) return fmt::format("{} us", three_digits(seconds * 1e6));
  if (seconds < 0.9995) return fmt::format("{} ms", three_digits(seconds * 1e3));
  return fmt::format("{} s", three_digits(seconds));
}

std::string number_text(double value, int digits) {
  if (!std::isfinite(value)) return "not finite";
  return fmt::format("{:.{}g}", value, digits);
}

std::string rate_text(double per_second) {
  if (!std::isfinite(per_second) || std::abs(per_second) > kLongestSeconds) return "?";
  if (per_second >= 999.5) return count_text(std::llround(per_second));
  return three_digits(per_second);
}

std::string share_text(double share) {
  if (!std::isfinite(share)) return "?";
  return share < 0.0995 ? fmt::format("{:.1f} %", share * 100)
                        : fmt::format("{:.0f} %", share * 100);
}

}  // namespace hone::report
