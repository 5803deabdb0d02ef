#include "formats/surrogates.h"

#include <optional>

namespace hone::formats {
namespace {

std::optional<unsigned> hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return std::nullopt;
}

// The unit of the escape \uXXXX at `at`; nothing when there is none.
std::optional<unsigned> escaped_unit(const std::string& text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  unsigned unit = 0;
  for (std::size_t index = at + 2; index < at + 6; ++index) {
    const std::optional<unsigned> digit = hex_digit(text[index]);
    if (!digit) return std::nullopt;
    unit = unit * 16 + *digit;
  }
  return unit;
}

bool is_high(std::optional<unsigned> unit) {
  return unit && *unit >= 0xD800 && *unit <= 0xDBFF;
}
bool is_low(std::optional<unsigned> unit) {
  return unit && *unit >= 0xDC00 && *unit <= 0xDFFF;
}

}  // namespace

std::int64_t replace_lone_surrogates(std::string& json_text) {
  std::int64_t replaced = 0;
  std::size_t at = json_text.find('\\');
  while (at != std::string::npos) {
    const std::optional<unsigned> unit = escaped_unit(json_text, at);
    std::size_t length = unit ? 6 : 2;
    if (is_high(unit) && is_low(escaped_unit(json_text, at + 6))) {
      length = 12;
    } else if (is_high(unit) || is_low(unit)) {
      json_text.replace(at, 6, "\\ufffd");
      ++replaced;
    }
    at = json_text.find('\\', at + length);
  }
  return replaced;
}

}  // namespace hone::formats
