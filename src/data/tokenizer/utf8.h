// UTF-8 as the Unicode standard defines it (no overlong forms, no surrogates, at most U+10FFFF).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hone::data {

struct Utf8Step {
  enum class State {
    character,   // `code` holds it
    invalid,     // `length` bytes can never become a character
    unfinished,  // the text ends inside what may become a character
  };
  State state = State::character;
  char32_t code = 0;
  std::size_t length = 0;  // bytes this step takes; never 0
};

// The step at `offset`, which must be inside the text. An invalid sequence takes its longest valid
// beginning, so that a decoder that replaces each by one U+FFFD follows the Unicode recommendation
// (and Rust's from_utf8_lossy).
Utf8Step utf8_step(std::string_view text, std::size_t offset);

void append_utf8(std::string& text, char32_t code);

// The whole characters of `bytes`, U+FFFD for what can never be one; removes what it took from
// `bytes`, so that at most an unfinished character stays.
std::string take_utf8(std::string& bytes);

}  // namespace hone::data
