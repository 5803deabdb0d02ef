// A chat template's text as tokens, by Jinja's rules with trim_blocks and
// lstrip_blocks, which transformers sets: a block tag takes the line end behind
// it and the blanks before it on its line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::data::jinja {

struct Token {
  enum class Kind {
    data,         // text outside of tags
    block_begin,  // {%
    block_end,
    print_begin,  // {{
    print_end,
    name,
    text,  // a literal, unescaped
    whole,
    real,
    symbol,  // operators and brackets
    end,
  };
  Kind kind = Kind::end;
  int line = 1;
  std::string text;
  std::int64_t whole = 0;
  double real = 0;

  bool is(Kind wanted, std::string_view content) const { return kind == wanted && text == content; }
};

// The last token is of kind `end`. UserError, with the line, for what is no
// Jinja.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace hone::data::jinja
