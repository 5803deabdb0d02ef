#include "config/settings/probabilities.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/error.h"
#include "config/reading/parse_number.h"
#include "formats/text_encoding.h"

namespace hone::config {
namespace {

// numpy's own limit for a draw: the square root of f64's epsilon.
constexpr double kSumTolerance = 1.4901161193847656e-08;

}  // namespace

std::string fault_of_probabilities(const std::vector<std::string>& shares) {
  double sum = 0.0;
  for (const std::string& share : shares) {
    const std::optional<double> number = parse_number(share);
    if (!number || !(*number >= 0.0 && *number <= 1.0)) {
      return fmt::format("'{}' is not a share from 0 to 1", formats::printable(share));
    }
    sum += *number;
  }
  if (std::abs(sum - 1.0) > kSumTolerance) return fmt::format("the shares add up to {}", sum);
  return "";
}

std::vector<double> probabilities_of(const std::vector<std::string>& shares) {
  std::vector<double> numbers;
  for (const std::string& share : shares) {
    const std::optional<double> number = parse_number(share);
    HONE_ASSERT(number.has_value(), share);
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace hone::config
