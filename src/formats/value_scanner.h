// Where a JSON value ends, found without understanding it: brackets are counted outside strings.
#pragma once

#include <cstddef>
#include <string_view>

namespace hone::formats {

// Looks at a text that grows: scan() is called with everything from the value's first character on,
// and goes on where it stopped.
//
// Text that cannot be JSON ends the value early, so that one broken record does not swallow those
// after it: a line end inside a string, or a bracket that opens where nothing can (a record that
// was never closed). The parser then finds the fault in what was cut off.
class ValueScanner {
 public:
  // True when the end is known; false when more text is needed, or there is none and the value is
  // all of it.
  bool scan(std::string_view text);

  // Bytes of the value found so far.
  std::size_t length() const { return at_; }

 private:
  bool in_string(char letter);
  bool in_structure(char letter);

  std::size_t at_ = 0;
  int depth_ = 0;
  bool quoted_ = false;
  bool escaped_ = false;
  char before_ = ',';  // the last character that was not blank, outside strings
};

}  // namespace hone::formats
