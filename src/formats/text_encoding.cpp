#include "formats/text_encoding.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::formats {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

// Length of the well-formed sequence at `index`, 0 when there is none. The ranges of the second
// byte are those of table 3-7 of the Unicode standard.
std::size_t sequence_length(std::string_view text, std::size_t index) {
  const unsigned char lead = byte_at(text, index);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (index + length > text.size()) return 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  const unsigned char second = byte_at(text, index + 1);
  if (second < low || second > high) return 0;
  for (std::size_t next = 2; next < length; ++next) {
    if ((byte_at(text, index + next) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::optional<std::size_t> invalid_utf8(std::string_view text) {
  std::size_t index = 0;
  while (index < text.size()) {
    const std::size_t length = sequence_length(text, index);
    if (length == 0) return index;
    index += length;
  }
  return std::nullopt;
}

std::string replace_invalid_utf8(std::string_view text) {
  std::string repaired;
  while (const std::optional<std::size_t> bad = invalid_utf8(text)) {
    repaired += text.substr(0, *bad);
    repaired += "\xEF\xBF\xBD";
    text.remove_prefix(*bad + 1);
  }
  return repaired += text;
}

std::string foreign_encoding(std::string_view start) {
  using namespace std::string_view_literals;
  const auto begins = [&](std::string_view mark) { return start.substr(0, mark.size()) == mark; };
  if (begins("\xFF\xFE\0\0"sv)) return "UTF-32 (little endian)";
  if (begins("\0\0\xFE\xFF"sv)) return "UTF-32 (big endian)";
  if (begins("\xFF\xFE"sv)) return "UTF-16 (little endian)";
  if (begins("\xFE\xFF"sv)) return "UTF-16 (big endian)";
  if (start.size() < 4) return "";
  const bool zero[] = {start[0] == 0, start[1] == 0, start[2] == 0, start[3] == 0};
  if (!zero[0] && zero[1] && zero[2] && zero[3]) return "UTF-32 (little endian)";
  if (zero[0] && zero[1] && zero[2] && !zero[3]) return "UTF-32 (big endian)";
  if (!zero[0] && zero[1] && !zero[2] && zero[3]) return "UTF-16 (little endian)";
  if (zero[0] && !zero[1] && zero[2] && !zero[3]) return "UTF-16 (big endian)";
  return "";
}

void refuse_foreign_encoding(std::string_view start, const std::string& file_name) {
  const std::string encoding = foreign_encoding(start);
  if (encoding.empty()) return;
  throw UserError({fmt::format("text in UTF-8: {}", file_name), "the file is " + encoding,
                   "save it as UTF-8, for example with: iconv -f UTF-16 -t UTF-8"});
}

void refuse_invalid_utf8(std::string_view text, const std::string& file_name, std::size_t offset) {
  const std::optional<std::size_t> at = invalid_utf8(text);
  if (!at) return;
  throw UserError(
      {fmt::format("text in UTF-8: {}", file_name),
       fmt::format("byte 0x{:02X} at offset {} is not UTF-8", byte_at(text, *at), offset + *at),
       "save the file as UTF-8 (iconv -f GBK -t UTF-8, if it is GBK)"});
}

TextPosition position_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  TextPosition position;
  position.line += static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_end = before.rfind('\n');
  position.column =
      line_end == std::string_view::npos ? before.size() + 1 : before.size() - line_end;
  return position;
}

std::string printable(std::string_view name, std::size_t longest) {
  std::string shown;
  std::size_t index = 0;
  while (index < name.size() && shown.size() < longest) {
    const std::size_t length = sequence_length(name, index);
    const unsigned char first = byte_at(name, index);
    // C1 control characters (U+0080 to U+009F) steer terminals as C0 does.
    const bool control = first < 0x20 || first == 0x7F ||
                         (length == 2 && first == 0xC2 && byte_at(name, index + 1) < 0xA0);
    if (length == 0 || control) {
      shown += fmt::format("\\x{:02x}", first);
      if (control && length == 2) shown += fmt::format("\\x{:02x}", byte_at(name, index + 1));
    } else {
      shown += name.substr(index, length);
    }
    index += std::max<std::size_t>(length, 1);
  }
  if (index < name.size()) shown += "...";
  return shown;
}

}  // namespace hone::formats
