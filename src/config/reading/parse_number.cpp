#include "config/reading/parse_number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace hone::config {
namespace {

constexpr double kLargestExact = 9007199254740992.0;  // 2^53

std::optional<double> parse_special(std::string_view unsigned_text) {
  for (std::string_view form : {".inf", ".Inf", ".INF"}) {
    if (unsigned_text == form) return std::numeric_limits<double>::infinity();
  }
  for (std::string_view form : {".nan", ".NaN", ".NAN"}) {
    if (unsigned_text == form) return std::numeric_limits<double>::quiet_NaN();
  }
  return std::nullopt;
}

// Factor of a unit of bytes; nothing for an unknown one.
std::optional<double> unit_factor(std::string_view unit) {
  std::string lower;
  for (char c : unit) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1048576.0},          {"b", 1.0},  {"k", 1024.0},
      {"kib", 1024.0},          {"kb", 1e3}, {"m", 1048576.0},
      {"mib", 1048576.0},       {"mb", 1e6}, {"g", 1073741824.0},
      {"gib", 1073741824.0},    {"gb", 1e9}, {"t", 1099511627776.0},
      {"tib", 1099511627776.0}, {"tb", 1e12}};
  for (const auto& [name, factor] : kUnits) {
    if (lower == name) return factor;
  }
  return std::nullopt;
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Underscores between digits are left out; others stay, and make it no number.
std::string without_grouping(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool groups = text[i] == '_' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) &&
                        is_digit(text[i + 1]);
    if (!groups) plain += text[i];
  }
  return plain;
}

}  // namespace

bool looks_octal(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '0' &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || c == '_'; });
}

std::optional<double> parse_number(std::string_view written) {
  const std::string grouped = without_grouping(written);
  std::string_view text = grouped;
  bool negative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (const std::optional<double> special = parse_special(text)) {
    return negative ? -*special : *special;
  }
  // from_chars takes words such as inf, and a second sign, which are no numbers here.
  if (text.empty() || !(text[0] == '.' || is_digit(text[0]))) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    number = std::numeric_limits<double>::infinity();
  else if (error != std::errc())
    return std::nullopt;
  return negative ? -number : number;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  if (!number || !std::isfinite(*number) || std::trunc(*number) != *number) return std::nullopt;
  if (std::abs(*number) > kLargestExact) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
  std::size_t digits = text.size();
  while (digits > 0 && std::isalpha(static_cast<unsigned char>(text[digits - 1])) != 0) --digits;
  const std::optional<double> factor = unit_factor(text.substr(digits));
  std::string_view amount = text.substr(0, digits);
  while (!amount.empty() && amount.back() == ' ') amount.remove_suffix(1);
  const std::optional<double> number = parse_number(amount);
  if (!factor || !number) return std::nullopt;
  const double bytes = *number * *factor;
  if (!std::isfinite(bytes) || std::abs(bytes) > kLargestExact) return std::nullopt;
  return static_cast<std::int64_t>(bytes);
}

std::string bytes_text(std::int64_t bytes) {
  constexpr int kMostDecimals = 3;
  std::string shortest = fmt::format("{} B", bytes);
  for (const char* unit : {"TiB", "TB", "GiB", "GB", "MiB", "MB", "KiB", "KB"}) {
    const double amount = static_cast<double>(bytes) / *unit_factor(unit);
    if (amount < 1) continue;
    for (int decimals = 0; decimals <= kMostDecimals; ++decimals) {
      std::string text = fmt::format("{:.{}f} {}", amount, decimals, unit);
      if (parse_bytes(text) != bytes) continue;
      if (text.size() < shortest.size()) shortest = std::move(text);
      break;
    }
  }
  return shortest;
}

}  // namespace hone::config
