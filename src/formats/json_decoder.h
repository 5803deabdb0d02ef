// From the text of one JSON value to the tree, fast: simdjson decides, and where it does not say
// yes the slower strict reader (json_events.h) explains the fault, or reads what simdjson cannot
// (whole numbers beyond 64 bits).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "formats/json_events.h"
#include "formats/value.h"

namespace hone::formats {

// Keeps its buffers from one text to the next.
class JsonDecoder {
 public:
  JsonDecoder();
  JsonDecoder(JsonDecoder&&) noexcept;
  JsonDecoder& operator=(JsonDecoder&&) noexcept;
  ~JsonDecoder();

  // The value that `text` is. Errors (UserError): as read_json_events, and one key twice in an
  // object. A lone surrogate escape is an error.
  Value decode(std::string_view text, const JsonSource& source);

  // The same, but each lone surrogate escape becomes U+FFFD and adds one to `replaced`.
  Value decode_replacing(std::string_view text, const JsonSource& source, std::int64_t& replaced);

 private:
  Value decode_buffer(std::size_t length, const JsonSource& source);

  struct Parser;  // simdjson's
  std::unique_ptr<Parser> parser_;
  std::string buffer_;
};

// The slower way alone: same values, same errors. For tests, and for the decoder.
Value decode_slowly(std::string_view text, const JsonSource& source);

}  // namespace hone::formats
