#include "report/log_entry.h"

#include <cmath>

#include "base/error.h"

namespace hone::report {

Measured find_measured(const Metrics& metrics, std::string_view key) {
  for (const Metric& metric : metrics) {
    if (metric.key == key) return metric.value;
  }
  return {};
}

bool has_key(const Metrics& metrics, std::string_view key) {
  for (const Metric& metric : metrics) {
    if (metric.key == key) return true;
  }
  return false;
}

bool is_number(const Measured& value) {
  if (const auto* real = std::get_if<double>(&value)) return std::isfinite(*real);
  return std::holds_alternative<std::int64_t>(value);
}

double to_number(const Measured& value) {
  HONE_ASSERT(is_number(value), value.index());
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return static_cast<double>(std::get<std::int64_t>(value));
}

}  // namespace hone::report
