#include "data/jinja/lexer.h"

#include <charconv>

#include <fmt/format.h>

#include "data/jinja/limits.h"
#include "data/jinja/text.h"
#include "data/tokenizer/utf8.h"

namespace hone::data::jinja {

namespace {

bool is_blank(char letter) {
  return letter == ' ' || (letter >= '\t' && letter <= '\r') ||
         (letter >= '\x1c' && letter <= '\x1f');
}

bool is_name_start(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool is_decimal(char letter) {
  return letter >= '0' && letter <= '9';
}

// Line ends as "\n", without the last one.
std::string normalized(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      text += source[i];
    } else if (i + 1 == source.size() || source[i + 1] != '\n') {
      text += '\n';
    }
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(normalized(source)) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) outside();
    put(Token::Kind::end, "");
    return std::move(tokens_);
  }

 private:
  void put(Token::Kind kind, std::string text) {
    Token token;
    token.kind = kind;
    token.line = line_;
    token.text = std::move(text);
    tokens_.push_back(std::move(token));
  }

  std::string_view rest() const { return std::string_view(source_).substr(at_); }

  void advance(std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) line_ += source_[at_ + i] == '\n' ? 1 : 0;
    at_ += bytes;
  }

  void skip_blanks() {
    while (at_ < source_.size() && is_blank(source_[at_])) advance(1);
  }

  // Where the next tag opens, or the end.
  std::size_t next_tag() const {
    for (std::size_t i = at_; i + 1 < source_.size(); ++i) {
      if (source_[i] != '{') continue;
      if (source_[i + 1] == '{' || source_[i + 1] == '%' || source_[i + 1] == '#') return i;
    }
    return source_.size();
  }

  // Text up to the next tag, shortened as the tag's sign says, and the tag.
  void outside() {
    const std::size_t tag = next_tag();
    std::string_view data = std::string_view(source_).substr(at_, tag - at_);
    const bool at_end = tag == source_.size();
    const char kind = at_end ? '\0' : source_[tag + 1];
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
    const std::size_t skipped = data.size();
    if (!at_end) data = shortened(data, kind, sign);
    if (!data.empty()) put(Token::Kind::data, std::string(data));
    advance(skipped);
    if (at_end) return;
    const std::size_t opening = sign == '-' || sign == '+' ? 3 : 2;
    if (kind == '#') return comment(opening);
    if (kind == '%' && raw_follows(opening)) return raw(opening);
    put(kind == '%' ? Token::Kind::block_begin : Token::Kind::print_begin, "");
    advance(opening);
    inside(kind);
  }

  std::string_view shortened(std::string_view data, char kind, char sign) const {
    if (sign == '-') return stripped(data, Side::right);
    if (sign == '+' || kind == '{') return data;
    const std::size_t line_end = data.rfind('\n');
    const std::size_t line_start = line_end == std::string_view::npos ? 0 : line_end + 1;
    if (line_start == 0 && !line_starts_) return data;
    const std::string_view tail = data.substr(line_start);
    return stripped(tail, Side::both).empty() ? data.substr(0, line_start) : data;
  }

  // Behind the tag: "-" takes all white space, a block or comment one line end.
  void close(std::string_view closing, bool takes_line_end) {
    const bool strips = rest().front() == '-';
    const bool keeps = rest().front() == '+';
    advance(closing.size() + (strips || keeps ? 1 : 0));
    const std::size_t before = at_;
    if (strips) {
      skip_blanks();
    } else if (takes_line_end && !keeps && at_ < source_.size() && source_[at_] == '\n') {
      advance(1);
    }
    line_starts_ = at_ > before && source_[at_ - 1] == '\n';
  }

  void comment(std::size_t opening) {
    const int line = line_;
    const std::size_t end = source_.find("#}", at_ + opening);
    if (end == std::string::npos) refuse(line, "a comment {# without its end #}");
    const bool has_sign =
        end > at_ + opening && (source_[end - 1] == '-' || source_[end - 1] == '+');
    advance(end - at_ - (has_sign ? 1 : 0));
    close("#}", true);
  }

  // Whether the tag at the position is {% raw %}.
  bool raw_follows(std::size_t opening) const {
    std::string_view tag = rest().substr(opening);
    const std::size_t end = tag.find("%}");
    if (end == std::string_view::npos) return false;
    tag = stripped(tag.substr(0, end), Side::both);
    if (!tag.empty() && tag.back() == '-')
      tag = stripped(tag.substr(0, tag.size() - 1), Side::right);
    return tag == "raw";
  }

  void raw(std::size_t opening) {
    const int line = line_;
    const std::size_t end_of_tag = source_.find("%}", at_);
    const bool strips = source_[end_of_tag - 1] == '-';
    advance(end_of_tag + 2 - at_);
    if (strips) skip_blanks();
    for (std::size_t tag = source_.find("{%", at_); tag != std::string::npos;
         tag = source_.find("{%", tag + 2)) {
      std::size_t after = tag + 2;
      const char sign = after < source_.size() ? source_[after] : '\0';
      if (sign == '-' || sign == '+') ++after;
      while (after < source_.size() && is_blank(source_[after])) ++after;
      if (source_.compare(after, 6, "endraw") != 0) continue;
      std::string_view data = std::string_view(source_).substr(at_, tag - at_);
      line_starts_ = false;
      data = shortened(data, '%', sign);
      if (!data.empty()) put(Token::Kind::data, std::string(data));
      advance(after + 6 - at_);
      skip_blanks();
      if (!closes("%}")) refuse(line_, "a tag 'endraw' with more in it");
      return close("%}", true);
    }
    static_cast<void>(opening);
    refuse(line, "a tag 'raw' without its end");
  }

  bool closes(std::string_view closing) const {
    const std::string_view here = rest();
    if (here.substr(0, closing.size()) == closing) return true;
    const bool sign = !here.empty() && (here[0] == '-' || (here[0] == '+' && closing == "%}"));
    return sign && here.substr(1, closing.size()) == closing;
  }

  void inside(char kind) {
    const int line = line_;
    const std::string_view closing = kind == '%' ? "%}" : "}}";
    brackets_.clear();
    for (;;) {
      skip_blanks();
      if (at_ >= source_.size()) {
        refuse(line, fmt::format("a tag without its end {}", closing));
      }
      if (brackets_.empty() && closes(closing)) {
        put(kind == '%' ? Token::Kind::block_end : Token::Kind::print_end, "");
        return close(closing, kind == '%');
      }
      item();
    }
  }

  void item() {
    const char letter = source_[at_];
    if (is_name_start(letter)) return name();
    if (is_decimal(letter)) return number();
    if (letter == '\'' || letter == '"') return literal(letter);
    symbol();
  }

  void name() {
    std::size_t end = at_;
    while (end < source_.size() && (is_name_start(source_[end]) || is_decimal(source_[end]))) ++end;
    put(Token::Kind::name, source_.substr(at_, end - at_));
    advance(end - at_);
  }

  void take_digits(std::string& digits) {
    while (at_ < source_.size() && (is_decimal(source_[at_]) || source_[at_] == '_')) {
      if (source_[at_] != '_') digits += source_[at_];
      advance(1);
    }
  }

  void number() {
    std::string digits;
    take_digits(digits);
    const auto here = [&](std::size_t i) {
      return at_ + i < source_.size() ? source_[at_ + i] : '\0';
    };
    bool real = here(0) == '.' && is_decimal(here(1));
    if (real) {
      digits += '.';
      advance(1);
      take_digits(digits);
    }
    const bool sign = here(1) == '-' || here(1) == '+';
    if ((here(0) == 'e' || here(0) == 'E') && is_decimal(here(sign ? 2 : 1))) {
      real = true;
      digits += 'e';
      if (here(1) == '-') digits += '-';
      advance(sign ? 2 : 1);
      take_digits(digits);
    }
    put(real ? Token::Kind::real : Token::Kind::whole, digits);
    Token& token = tokens_.back();
    const char* begin = digits.data();
    const char* end = begin + digits.size();
    const auto read =
        real ? std::from_chars(begin, end, token.real) : std::from_chars(begin, end, token.whole);
    if (read.ec != std::errc() || read.ptr != end || is_name_start(here(0))) {
      refuse(line_, fmt::format("the number {}, which is not read", digits));
    }
  }

  void literal(char quote) {
    const int line = line_;
    std::string text;
    advance(1);
    while (at_ < source_.size() && source_[at_] != quote) {
      if (source_[at_] == '\\' && at_ + 1 < source_.size()) {
        escape(text);
      } else {
        text += source_[at_];
        advance(1);
      }
    }
    if (at_ >= source_.size()) refuse(line, "a text without its closing quotation mark");
    advance(1);
    put(Token::Kind::text, std::move(text));
    tokens_.back().line = line;
  }

  void escape(std::string& text) {
    const char letter = source_[at_ + 1];
    constexpr std::string_view kLetters = "ntrabfv\\'\"";
    constexpr std::string_view kMeant = "\n\t\r\a\b\f\v\\'\"";
    const std::size_t known = kLetters.find(letter);
    if (known != std::string_view::npos) {
      text += kMeant[known];
      return advance(2);
    }
    if (letter == '\n') return advance(2);
    if (letter == 'x') return code(text, 2);
    if (letter == 'u') return code(text, 4);
    if (letter == 'U') return code(text, 8);
    if (is_decimal(letter) || letter == 'N') {
      refuse(line_, fmt::format("the escape \\{} in a text, which is not read", letter));
    }
    text += '\\';
    advance(1);
  }

  void code(std::string& text, std::size_t digits) {
    const std::string_view shown = rest().substr(2, digits);
    std::uint32_t point = 0;
    const char* end = shown.data() + shown.size();
    const auto read = std::from_chars(shown.data(), end, point, 16);
    constexpr std::uint32_t kLast = 0x10FFFF;
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    if (shown.size() != digits || read.ec != std::errc() || read.ptr != end || point > kLast ||
        surrogate) {
      refuse(line_, fmt::format("the escape \\{}{}, which is no character", rest()[1], shown));
    }
    append_utf8(text, static_cast<char32_t>(point));
    advance(2 + digits);
  }

  void symbol() {
    constexpr std::string_view kTwo[] = {"==", "!=", "<=", ">=", "//", "**"};
    std::string found(1, source_[at_]);
    for (const std::string_view two : kTwo) {
      if (rest().substr(0, 2) == two) found = two;
    }
    if (std::string_view("+-*/%~[](){}=<>.:|,;!").find(found[0]) == std::string_view::npos ||
        found == "!") {
      refuse(line_, fmt::format("'{}' inside a tag", characters(rest().substr(0, 4)).front()));
    }
    balance(found[0]);
    put(Token::Kind::symbol, found);
    advance(found.size());
  }

  void balance(char letter) {
    if (letter == '(' || letter == '[' || letter == '{') brackets_ += letter;
    if (letter != ')' && letter != ']' && letter != '}') return;
    const char opening = letter == ')' ? '(' : letter == ']' ? '[' : '{';
    if (brackets_.empty() || brackets_.back() != opening) {
      refuse(line_, fmt::format("'{}' without its opening bracket", letter));
    }
    brackets_.pop_back();
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starts_ = true;  // whether the text before the position ends a line, or is none
  std::string brackets_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  return Lexer(source).run();
}

}  // namespace hone::data::jinja
