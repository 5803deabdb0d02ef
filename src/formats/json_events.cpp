#include "formats/json_events.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

using Json = nlohmann::json;

// Walks the text and leaves behind how far it came.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
  const char& operator*() const { return *at_; }
  CountingIterator& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// The library's sentence without its prefix: "unexpected '}'; expected string literal".
std::string reason_of(const std::string& message) {
  std::size_t start = message.find(" - ");
  start = start == std::string::npos ? message.rfind("] ") : start + 1;
  return printable(start == std::string::npos ? message : message.substr(start + 2), 200);
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r';
}

bool comma_before(std::string_view text, std::size_t offset) {
  while (offset > 0 && is_blank(text[offset - 1])) --offset;
  return offset > 0 && text[offset - 1] == ',';
}

// Carries the library's callbacks over to ours.
class Bridge {
 public:
  Bridge(std::string_view text, const JsonSource& source, JsonEvents& events)
      : reached(text.data()), text_(text), source_(source), events_(events) {}

  bool null() { return at().null_value(), true; }
  bool boolean(bool value) { return at().boolean(value), true; }
  bool number_integer(std::int64_t value) { return at().integer(value), true; }
  bool number_unsigned(std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      at().integer(static_cast<std::int64_t>(value));
    } else {
      at().number(static_cast<double>(value));
    }
    return true;
  }
  bool number_float(double value, const std::string&) { return at().number(value), true; }
  bool string(std::string& value) { return at().string(std::move(value)), true; }
  bool binary(Json::binary_t&) { return false; }  // never in text
  bool start_object(std::size_t) { return enter(), at().start_object(), true; }
  bool key(std::string& name) { return at().key(std::move(name)), true; }
  bool end_object() { return --depth_, at().end_object(), true; }
  bool start_array(std::size_t) { return enter(), at().start_array(), true; }
  bool end_array() { return --depth_, at().end_array(), true; }

  bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
    const std::size_t offset = std::min(position == 0 ? 0 : position - 1, text_.size());
    const char here = offset < text_.size() ? text_[offset] : '\0';
    std::string found = reason_of(error.what());
    if ((here == '}' || here == ']') && comma_before(text_, offset)) {
      found = fmt::format("a comma before '{}'", here);
    }
    refuse(offset, found);
  }

  const char* reached;

 private:
  JsonEvents& at() {
    events_.offset = static_cast<std::size_t>(reached - text_.data());
    return events_;
  }

  void enter() {
    if (++depth_ <= kMaxJsonDepth) return;
    refuse(at().offset,
           fmt::format("lists and objects nested deeper than {} levels", kMaxJsonDepth));
  }

  [[noreturn]] void refuse(std::size_t offset, const std::string& found) const {
    throw UserError(
        {describe_place(source_, text_, offset), found, "correct the file at that place"});
  }

  std::string_view text_;
  const JsonSource& source_;
  JsonEvents& events_;
  int depth_ = 0;
};

}  // namespace

std::string describe_place(const JsonSource& source, std::string_view text, std::size_t offset) {
  const TextPosition inside = position_of(text, offset);
  const std::string record =
      source.record > 0 ? fmt::format("record {}, ", source.record) : std::string();
  const std::size_t column = inside.line == 1 ? source.column + inside.column - 1 : inside.column;
  return fmt::format("JSON: {}, {}line {}, column {}", source.file_name, record,
                     source.line + inside.line - 1, column);
}

void read_json_events(std::string_view text, const JsonSource& source, JsonEvents& events) {
  refuse_invalid_utf8(text, source.file_name, source.offset_bytes);
  // The library takes a zero byte for the end.
  const std::size_t zero = text.find('\0');
  if (zero != std::string_view::npos) {
    throw UserError({describe_place(source, text, zero),
                     fmt::format("a zero byte at offset {}", source.offset_bytes + zero),
                     "correct the file at that place"});
  }
  Bridge bridge(text, source, events);
  const char* end = text.data() + text.size();
  Json::sax_parse(CountingIterator(text.data(), &bridge.reached),
                  CountingIterator(end, &bridge.reached), &bridge);
}

}  // namespace hone::formats
