#include "data/jinja/text.h"

#include <algorithm>

#include <fmt/format.h>
#include <utf8proc.h>

#include "data/tokenizer/utf8.h"

namespace hone::data::jinja {

namespace {

struct Decoded {
  std::int32_t point = -1;  // -1: no character begins here
  std::size_t bytes = 1;
};

Decoded decoded(std::string_view text) {
  const Utf8Step step = utf8_step(text, 0);
  if (step.state != Utf8Step::State::character) return {};
  return {static_cast<std::int32_t>(step.code), step.length};
}

std::string encoded(std::int32_t point) {
  std::string text;
  append_utf8(text, static_cast<char32_t>(point));
  return text;
}

std::int32_t point_of(std::string_view character) {
  return decoded(character).point;
}

template <class Map>
std::string mapped(std::string_view text, Map map) {
  std::string out;
  for (const std::string_view character : characters(text)) out += map(character);
  return out;
}

std::string upper_letter(std::string_view character) {
  const std::int32_t point = point_of(character);
  if (point == 0xDF) return "SS";
  return point < 0 ? std::string(character) : encoded(utf8proc_toupper(point));
}

std::string lower_letter(std::string_view character) {
  const std::int32_t point = point_of(character);
  return point < 0 ? std::string(character) : encoded(utf8proc_tolower(point));
}

bool is_printable(std::int32_t point) {
  if (point == ' ') return true;
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

std::string escaped(std::string_view character, char quote) {
  const std::int32_t point = point_of(character);
  if (point == '\\' || point == quote) return fmt::format("\\{}", character);
  if (point == '\n') return "\\n";
  if (point == '\r') return "\\r";
  if (point == '\t') return "\\t";
  if (point < 0) return fmt::format("\\x{:02x}", static_cast<unsigned char>(character[0]));
  if (is_printable(point)) return std::string(character);
  if (point < 0x100) return fmt::format("\\x{:02x}", point);
  return point < 0x10000 ? fmt::format("\\u{:04x}", point) : fmt::format("\\U{:08x}", point);
}

}  // namespace

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = decoded(text.substr(at)).bytes;
    all.push_back(text.substr(at, bytes));
    at += bytes;
  }
  return all;
}

std::int64_t length(std::string_view text) {
  std::int64_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) at += decoded(text.substr(at)).bytes;
  return count;
}

bool is_space(std::string_view character) {
  const std::int32_t point = point_of(character);
  if ((point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20)) return true;
  return point == 0x85 || point == 0xA0 || point == 0x1680 ||
         (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
         point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_letter(std::string_view character) {
  const std::int32_t point = point_of(character);
  if (point < 0) return false;
  const utf8proc_category_t category = utf8proc_category(point);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

bool is_digit(std::string_view character) {
  const std::int32_t point = point_of(character);
  return point >= 0 && utf8proc_category(point) == UTF8PROC_CATEGORY_ND;
}

std::string_view stripped(std::string_view text, Side side, const std::string* chars) {
  const std::vector<std::string_view> all = characters(text);
  const std::vector<std::string_view> named =
      chars == nullptr ? std::vector<std::string_view>() : characters(*chars);
  const auto goes = [&](std::string_view character) {
    if (chars == nullptr) return is_space(character);
    return std::find(named.begin(), named.end(), character) != named.end();
  };
  std::size_t begin = 0;
  std::size_t end = all.size();
  std::size_t cut_left = 0;
  std::size_t cut_right = 0;
  while (side != Side::right && begin < end && goes(all[begin])) cut_left += all[begin++].size();
  while (side != Side::left && begin < end && goes(all[end - 1])) cut_right += all[--end].size();
  return text.substr(cut_left, text.size() - cut_left - cut_right);
}

std::string upper(std::string_view text) {
  return mapped(text, upper_letter);
}

std::string lower(std::string_view text) {
  return mapped(text, lower_letter);
}

std::string capitalized(std::string_view text) {
  bool first = true;
  return mapped(text, [&](std::string_view character) {
    const bool now = first;
    first = false;
    return now ? upper_letter(character) : lower_letter(character);
  });
}

std::string titled(std::string_view text) {
  bool inside = false;
  return mapped(text, [&](std::string_view character) {
    const bool now = inside;
    inside = is_letter(character);
    return now ? lower_letter(character) : upper_letter(character);
  });
}

std::string replaced(std::string_view text, std::string_view old, std::string_view with,
                     std::int64_t count) {
  std::string out;
  if (old.empty()) {
    // Python puts it before every character and at the end.
    for (const std::string_view character : characters(text)) {
      if (count != 0) out += with;
      if (count > 0) --count;
      out += character;
    }
    return count == 0 ? out : out.append(with);
  }
  std::size_t done = 0;
  for (std::size_t at = text.find(old); at != std::string_view::npos && count != 0;
       at = text.find(old, done)) {
    out.append(text.substr(done, at - done)).append(with);
    done = at + old.size();
    if (count > 0) --count;
  }
  return out.append(text.substr(done));
}

std::vector<std::string> split(std::string_view text, std::string_view separator,
                               std::int64_t most) {
  std::vector<std::string> parts;
  std::size_t done = 0;
  for (std::size_t at = text.find(separator);
       at != std::string_view::npos && (most < 0 || static_cast<std::int64_t>(parts.size()) < most);
       at = text.find(separator, done)) {
    parts.emplace_back(text.substr(done, at - done));
    done = at + separator.size();
  }
  parts.emplace_back(text.substr(done));
  return parts;
}

std::vector<std::string> split_at_spaces(std::string_view text, std::int64_t most) {
  std::vector<std::string> parts;
  std::string_view rest = stripped(text, Side::left);
  while (!rest.empty()) {
    if (most >= 0 && static_cast<std::int64_t>(parts.size()) >= most) {
      parts.emplace_back(stripped(rest, Side::right));
      break;
    }
    std::size_t end = 0;
    while (end < rest.size()) {
      const std::size_t bytes = decoded(rest.substr(end)).bytes;
      if (is_space(rest.substr(end, bytes))) break;
      end += bytes;
    }
    parts.emplace_back(rest.substr(0, end));
    rest = stripped(rest.substr(end), Side::left);
  }
  return parts;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  std::string line;
  bool open = false;
  const std::vector<std::string_view> all = characters(text);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::int32_t point = point_of(all[i]);
    const bool ends = (point >= 0x0A && point <= 0x0D) || (point >= 0x1C && point <= 0x1E) ||
                      point == 0x85 || point == 0x2028 || point == 0x2029;
    if (!ends) {
      line += all[i];
      open = true;
      continue;
    }
    if (point == '\r' && i + 1 < all.size() && all[i + 1] == "\n") ++i;
    lines.push_back(std::move(line));
    line.clear();
    open = false;
  }
  if (open) lines.push_back(std::move(line));
  return lines;
}

std::string python_quoted(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const bool has_double = text.find('"') != std::string_view::npos;
  const char quote = has_single && !has_double ? '"' : '\'';
  std::string out(1, quote);
  for (const std::string_view character : characters(text)) out += escaped(character, quote);
  return out + quote;
}

}  // namespace hone::data::jinja
