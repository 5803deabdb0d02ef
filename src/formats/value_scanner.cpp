#include "formats/value_scanner.h"

namespace hone::formats {

bool ValueScanner::scan(std::string_view text) {
  while (at_ < text.size()) {
    const char letter = text[at_];
    const bool scalar_ended = depth_ == 0 && !quoted_ && at_ > 0 &&
                              std::string_view(" \t\r\n,]}").find(letter) != std::string_view::npos;
    if (scalar_ended) return true;
    ++at_;
    if (quoted_ ? in_string(letter) : in_structure(letter)) return true;
  }
  return false;
}

// True when the value ends with this character.
bool ValueScanner::in_string(char letter) {
  if (escaped_) {
    escaped_ = false;
  } else if (letter == '\\') {
    escaped_ = true;
  } else if (letter == '"') {
    quoted_ = false;
    before_ = '"';
    return depth_ == 0;
  }
  return letter == '\n';
}

bool ValueScanner::in_structure(char letter) {
  switch (letter) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return false;
    case '"':
      quoted_ = true;
      return false;
    case '{':
    case '[':
      if (before_ != ',' && before_ != ':' && before_ != '[') return true;
      ++depth_;
      break;
    case '}':
    case ']':
      if (--depth_ <= 0) return true;
      break;
    default:
      break;
  }
  before_ = letter;
  return false;
}

}  // namespace hone::formats
