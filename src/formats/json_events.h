// A JSON text as a row of events, strictly read, without building anything: for readers that must
// not grow with hostile input, and for explaining what is wrong with a text and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hone::formats {

// Objects and lists inside each other; deeper is refused.
inline constexpr int kMaxJsonDepth = 512;

// Where a text lies, for errors.
struct JsonSource {
  std::string file_name;
  std::int64_t record = 0;       // 1 is the first; 0: the text is not a record
  std::size_t offset_bytes = 0;  // of the text's first byte in the file
  std::size_t line = 1;          // of the text's first byte
  std::size_t column = 1;
};

// "JSON: a.jsonl, record 3, line 3, column 7" for a byte of the text.
std::string describe_place(const JsonSource& source, std::string_view text, std::size_t offset);

// Implemented by what wants to hear a text. A handler may throw to stop.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual void null_value() = 0;
  virtual void boolean(bool value) = 0;
  virtual void integer(std::int64_t value) = 0;
  virtual void number(double value) = 0;  // also whole numbers beyond 64 signed bits
  virtual void string(std::string&& value) = 0;
  virtual void start_object() = 0;
  virtual void key(std::string&& name) = 0;
  virtual void end_object() = 0;
  virtual void start_array() = 0;
  virtual void end_array() = 0;

  std::size_t offset = 0;  // bytes of the text read so far, set before each call
};

// Reads one JSON value and nothing after it. Errors (UserError): not UTF-8, a zero byte, broken
// syntax, deeper than kMaxJsonDepth, a number beyond f64.
void read_json_events(std::string_view text, const JsonSource& source, JsonEvents& events);

}  // namespace hone::formats
