// Python's way with texts: positions count characters, white space and case are
// Unicode's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::data::jinja {

// The characters of UTF-8; a byte that begins none is kept as it is, alone.
std::vector<std::string_view> characters(std::string_view text);
std::int64_t length(std::string_view text);

// str.strip and its kin: white space, or the characters of `chars` where it is
// given.
enum class Side { both, left, right };
std::string_view stripped(std::string_view text, Side side, const std::string* chars = nullptr);

// Letter by letter, by Unicode's simple mappings; "ß" becomes "SS".
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string capitalized(std::string_view text);  // the first letter upper, the rest lower
std::string titled(std::string_view text);       // each word's first letter upper, the rest lower

bool is_space(std::string_view character);
bool is_letter(std::string_view character);
bool is_digit(std::string_view character);

// Every copy of `old`, up to `count` of them (negative: all).
std::string replaced(std::string_view text, std::string_view old, std::string_view with,
                     std::int64_t count = -1);
// At most `most` cuts (negative: any number).
std::vector<std::string> split(std::string_view text, std::string_view separator,
                               std::int64_t most);
std::vector<std::string> split_at_spaces(std::string_view text, std::int64_t most);
std::vector<std::string> split_lines(std::string_view text);

// repr() of a text.
std::string python_quoted(std::string_view text);

}  // namespace hone::data::jinja
