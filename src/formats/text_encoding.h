// What kind of text a run of bytes is: UTF-8 with or without a byte-order mark, something else, or
// not text at all. Shared by the readers of JSON, JSONL and YAML.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hone::formats {

// The bytes EF BB BF, which some editors put in front of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Offset of the first byte that is not part of well-formed UTF-8 (overlong forms, surrogates and
// values above U+10FFFF are not); nothing when all is well.
std::optional<std::size_t> invalid_utf8(std::string_view text);

// The text with U+FFFD in place of every byte that is not part of well-formed UTF-8.
std::string replace_invalid_utf8(std::string_view text);

// "UTF-16 (little endian)" and the like when the first bytes say so, by their byte-order mark or by
// the zero bytes that such text has around ASCII; empty for everything else.
std::string foreign_encoding(std::string_view start);

// Throws UserError when `start`, the first bytes of the file (4 are enough), are UTF-16 or UTF-32.
void refuse_foreign_encoding(std::string_view start, const std::string& file_name);

// Throws UserError, naming the byte, for text that is not UTF-8. `offset` is where `text` starts in
// the file.
void refuse_invalid_utf8(std::string_view text, const std::string& file_name, std::size_t offset);

// Line and column of an offset, both from 1; a column counts bytes.
struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

// A name from a file as it may stand in an error: control characters and bytes that are not UTF-8
// are written as \x1b, and what is longer than `longest` bytes is cut and ends in "...".
std::string printable(std::string_view name, std::size_t longest = 120);

}  // namespace hone::formats
