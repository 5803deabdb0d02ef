// translate_pattern: from Oniguruma's Ruby syntax to PCRE2's.
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/regex.h"

namespace hone::data {

namespace {

// White_Space of Unicode, as Oniguruma's \s; PCRE2's has U+180E in addition.
constexpr std::string_view kSpace =
    R"(\x{9}-\x{d}\x{20}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})";
constexpr std::string_view kNotSpace =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{84}\x{86}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{10ffff})";
// Word characters: alphabetic, marks, decimal digits, connectors (Unicode technical standard 18,
// annex C). The ranges are the letters among the symbols.
constexpr std::string_view kWord =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24b6}-\x{24e9}\x{1f130}-\x{1f149}\x{1f150}-\x{1f169}\x{1f170}-\x{1f189})";

class Translator {
 public:
  Translator(std::string_view pattern, std::string_view where) : pattern_(pattern), where_(where) {}

  std::string run() {
    while (at_ < pattern_.size()) {
      if (pattern_[at_] == '\\') {
        escape();
      } else if (in_class_) {
        class_character();
      } else {
        plain_character();
      }
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw UserError({fmt::format("{}: the pattern '{}'", where_, pattern_),
                     fmt::format("{} (at byte {}), which hone does not read", what, at_),
                     "use another tokenizer file, or report the model's name"});
  }

  bool next_is(std::string_view text) const { return pattern_.substr(at_, text.size()) == text; }

  void copy(std::size_t length) {
    out_ += pattern_.substr(at_, length);
    at_ += length;
  }

  void put(std::string_view text, std::size_t consumed) {
    out_ += text;
    at_ += consumed;
  }

  // A set of characters: bare inside a class, in brackets outside.
  void put_set(std::string_view members, bool negated) {
    if (in_class_ && negated) refuse("a negated set inside a class");
    if (in_class_) {
      put(members, 2);
    } else {
      put(fmt::format("[{}{}]", negated ? "^" : "", members), 2);
    }
  }

  void escape() {
    if (at_ + 1 == pattern_.size()) refuse("a backslash at the end");
    const char letter = pattern_[at_ + 1];
    switch (letter) {
      case 's':
        return put_set(kSpace, false);
      case 'S':
        return in_class_ ? put(kNotSpace, 2) : put_set(kSpace, true);
      case 'w':
        return put_set(kWord, false);
      case 'W':
        return put_set(kWord, true);
      case 'h':
        return put_set("0-9a-fA-F", false);
      case 'v':
        return put(R"(\x{b})", 2);
      case 'u':
        return unicode_escape();
      case 'p':
      case 'P':
        return copy_with_braces();
      case 'd':
      case 'D':
      case 'r':
      case 'n':
      case 't':
      case 'f':
      case 'a':
      case 'e':
        return copy(2);
      case 'x':
        return code_escape();
      case 'A':
      case 'z':
      case 'Z':
        if (!in_class_) return copy(2);
        refuse("an anchor inside a class");
      default:
        break;
    }
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      refuse(fmt::format("the escape '\\{}'", letter));
    }
    copy(2);
  }

  // \xHH from 80 on is a byte for Oniguruma and a character for PCRE2.
  void code_escape() {
    if (at_ + 2 < pattern_.size() &&
        std::string_view("89abcdefABCDEF").find(pattern_[at_ + 2]) != std::string_view::npos) {
      refuse("a byte written as \\x");
    }
    copy_with_braces();
  }

  // \p{...} and \x{...}: the braces are no interval.
  void copy_with_braces() {
    copy(2);
    if (!next_is("{")) return;
    const std::size_t close = pattern_.find('}', at_);
    if (close == std::string_view::npos) refuse("an open brace");
    copy(close + 1 - at_);
  }

  void unicode_escape() {
    const std::string_view digits = pattern_.substr(at_ + 2, 4);
    for (const char digit : digits) {
      if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) refuse("a malformed \\u escape");
    }
    if (digits.size() != 4) refuse("a malformed \\u escape");
    put(fmt::format("\\x{{{}}}", digits), 6);
  }

  void class_character() {
    if (next_is("&&")) refuse("a class intersection '&&'");
    if (next_is("[")) refuse("a class inside a class");
    if (next_is("]") && at_ > class_start_) in_class_ = false;
    copy(1);
  }

  void plain_character() {
    if (next_is("[")) {
      in_class_ = true;
      copy(next_is("[^") ? 2 : 1);
      class_start_ = at_;
    } else if (next_is("{")) {
      interval();
    } else if (next_is("(?")) {
      group();
    } else {
      copy(1);
    }
  }

  // {n}, {n,}, {n,m}, {,m}; anything else is a literal brace in both engines.
  void interval() {
    const std::size_t close = pattern_.find('}', at_);
    const std::string_view body =
        close == std::string_view::npos ? "" : pattern_.substr(at_ + 1, close - at_ - 1);
    const bool is_interval = !body.empty() &&
                             body.find_first_not_of("0123456789,") == std::string_view::npos &&
                             body != ",";
    if (!is_interval) {
      put("\\{", 1);
      return;
    }
    // Ruby's syntax reads {n,m}+ as a repeated interval, PCRE2 as a possessive one.
    if (close + 1 < pattern_.size() && pattern_[close + 1] == '+') refuse("'+' after an interval");
    put(fmt::format("{{{}{}}}", body.front() == ',' ? "0" : "", body), body.size() + 2);
  }

  void group() {
    constexpr std::array<std::string_view, 8> kSame = {
        "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?-i:"};
    for (const std::string_view opening : kSame) {
      if (next_is(opening)) return copy(opening.size());
    }
    // In the middle of a pattern the two engines disagree about how far the option reaches.
    if (at_ == 0 && next_is("(?i)")) return copy(4);
    refuse("the group or option '(?'");
  }

  std::string_view pattern_;
  std::string_view where_;
  std::string out_;
  std::size_t at_ = 0;
  std::size_t class_start_ = 0;
  bool in_class_ = false;
};

}  // namespace

std::string translate_pattern(std::string_view pattern, std::string_view where) {
  return Translator(pattern, where).run();
}

}  // namespace hone::data
