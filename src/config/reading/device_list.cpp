#include "config/reading/device_list.h"

#include <cctype>

#include "config/reading/parse_number.h"

namespace hone::config {
namespace {

constexpr int kMostOfOneKind = 4096;
// A card's own number is not a count: 4x7900XTX is four cards, not four machines of 7,900.
constexpr int kMostPerMachine = 64;
constexpr std::size_t kShortestName = 3;  // cpu

// Takes "8x" from the front; 0 when there is none.
int take_count(std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) != 0) {
    ++digits;
  }
  if (digits == 0 || digits > 4 || digits + 1 >= text.size()) return 0;
  if (text[digits] != 'x' && text[digits] != 'X' && text[digits] != '*') return 0;
  const int count = std::stoi(text.substr(0, digits));
  text.erase(0, digits + 1);
  return count;
}

}  // namespace

std::optional<DeviceList> parse_device_list(const std::string& text) {
  DeviceList list;
  std::string rest = text;
  const bool counted = !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
  const int first = take_count(rest);
  if (first > kMostOfOneKind) {
    rest = text;  // 7900xtx
  } else if (first > 0) {
    list.per_machine = first;
    std::string more = rest;
    const int second = take_count(more);
    if (second > 0 && second <= kMostPerMachine) {
      list.machines = first;
      list.per_machine = second;
      rest = more;
    }
  } else if (counted && text[0] == '0') {
    return std::nullopt;
  }
  const std::size_t colon = rest.find(':');
  if (colon != std::string::npos) {
    list.memory_bytes = parse_bytes(rest.substr(colon + 1));
    if (!list.memory_bytes || *list.memory_bytes < 1) return std::nullopt;
    rest.erase(colon);
  } else if (const auto size = parse_bytes(rest)) {
    // A bare number would be MiB: a card's name is meant.
    if (rest.find_first_not_of("0123456789") != std::string::npos) {
      list.memory_bytes = size;
      rest.clear();
    }
  }
  // "8x" is a count of nothing.
  if (rest.size() < kShortestName && !list.memory_bytes) return std::nullopt;
  list.name = rest;
  return list;
}

}  // namespace hone::config
