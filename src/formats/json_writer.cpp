#include "formats/json_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

class Writer {
 public:
  explicit Writer(const PythonStyle& style) : style_(style) {}

  std::string text;

  void value(const Value& each) {
    switch (each.kind()) {
      case Value::Kind::null:
        text += "null";
        return;
      case Value::Kind::boolean:
        text += each.boolean() ? "true" : "false";
        return;
      case Value::Kind::integer:
        text += std::to_string(each.integer());
        return;
      case Value::Kind::number:
        text += std::isfinite(each.number()) ? python_repr(each.number()) : "null";
        return;
      case Value::Kind::string:
        return string(each.string());
      case Value::Kind::array:
        return array(each.array());
      case Value::Kind::object:
        return object(each.object());
    }
  }

 private:
  void array(const Array& items) {
    if (items.empty()) {
      text += "[]";
      return;
    }
    open('[');
    for (std::size_t at = 0; at < items.size(); ++at) {
      if (at > 0) next();
      value(items[at]);
    }
    close(']');
  }

  void object(const Object& members) {
    if (members.empty()) {
      text += "{}";
      return;
    }
    std::vector<const Member*> order;
    for (const Member& member : members) order.push_back(&member);
    if (style_.sort_keys) {
      std::sort(order.begin(), order.end(),
                [](const Member* left, const Member* right) { return left->key < right->key; });
    }
    open('{');
    for (std::size_t at = 0; at < order.size(); ++at) {
      if (at > 0) next();
      string(order[at]->key);
      text += style_.compact ? ":" : ": ";
      value(order[at]->value);
    }
    close('}');
  }

  void open(char bracket) {
    text += bracket;
    ++depth_;
    line();
  }

  void close(char bracket) {
    --depth_;
    line();
    text += bracket;
  }

  void next() {
    text += style_.compact || style_.indent ? "," : ", ";
    line();
  }

  void line() {
    if (!style_.indent) return;
    text += '\n';
    text.append(static_cast<std::size_t>(depth_ * *style_.indent), ' ');
  }

  void string(std::string_view content) {
    const std::string repaired = invalid_utf8(content) ? replace_invalid_utf8(content) : "";
    if (!repaired.empty()) content = repaired;
    text += '"';
    for (std::size_t at = 0; at < content.size();) {
      const unsigned char first = static_cast<unsigned char>(content[at]);
      if (first < 0x80) {
        ascii(content[at]);
        ++at;
        continue;
      }
      const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
      if (style_.ensure_ascii) {
        escape(content.substr(at, length));
      } else {
        text += content.substr(at, length);
      }
      at += length;
    }
    text += '"';
  }

  void ascii(char letter) {
    constexpr std::string_view kShort = "\"\\\n\r\t\b\f";
    constexpr std::string_view kNames = "\"\\nrtbf";
    const std::size_t known = kShort.find(letter);
    if (known != std::string_view::npos) {
      text += '\\';
      text += kNames[known];
    } else if (static_cast<unsigned char>(letter) < 0x20 ||
               (letter == 0x7F && style_.ensure_ascii)) {
      text += fmt::format("\\u{:04x}", static_cast<int>(letter));
    } else {
      text += letter;
    }
  }

  // A well-formed sequence of 2 to 4 bytes.
  void escape(std::string_view sequence) {
    const unsigned first = static_cast<unsigned char>(sequence[0]);
    std::uint32_t code = first & (0xFFu >> (sequence.size() + 1));
    for (const char next : sequence.substr(1))
      code = code << 6 | (static_cast<unsigned char>(next) & 0x3Fu);
    if (code < 0x10000) {
      text += fmt::format("\\u{:04x}", code);
    } else {
      code -= 0x10000;
      text += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF));
    }
  }

  const PythonStyle& style_;
  int depth_ = 0;
};

}  // namespace

std::string dump_python(const Value& value, const PythonStyle& style) {
  Writer writer(style);
  writer.value(value);
  return std::move(writer.text);
}

std::string python_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  // The shortest digits, "d.ddde+XX"; Python shows them plainly for exponents -4 to 15.
  char buffer[32];
  const auto [end, error] =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view shortest(buffer, static_cast<std::size_t>(end - buffer));
  const std::string sign = shortest.front() == '-' ? "-" : "";
  shortest.remove_prefix(sign.size());
  const std::size_t mark = shortest.find('e');
  const int exponent = std::atoi(std::string(shortest.substr(mark + 1)).c_str());
  std::string digits(shortest.substr(0, mark));
  if (exponent < -4 || exponent > 15) {
    return fmt::format("{}{}e{}{:02}", sign, digits, exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  const std::size_t whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace hone::formats
