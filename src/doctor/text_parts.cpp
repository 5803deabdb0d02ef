#include <algorithm>
#include <cctype>

#include "doctor/machine.h"

namespace hone::doctor {

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  std::string word;
  for (const char letter : text) {
    if (std::isspace(static_cast<unsigned char>(letter)) == 0) {
      word += letter;
    } else if (!word.empty()) {
      found.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) found.push_back(std::move(word));
  return found;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (end > 0) found.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

void append_item(std::string& list, std::string_view separator, std::string_view item) {
  if (!list.empty()) list += separator;
  list += item;
}

std::vector<int> version_numbers(std::string_view text) {
  constexpr int kLargest = 100'000'000;  // beyond it lies no version
  std::vector<int> numbers;
  std::size_t at = 0;
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
    int number = 0;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      if (number < kLargest) number = number * 10 + (text[at] - '0');
      ++at;
    }
    numbers.push_back(number);
    if (at >= text.size() || text[at] != '.') break;
    ++at;
  }
  return numbers;
}

}  // namespace hone::doctor
