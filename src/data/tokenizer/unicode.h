// Classes of characters, as Unicode assigns them (tables of utf8proc), and walks over texts of
// them.
#pragma once

#include <cstddef>
#include <string_view>

#include "data/tokenizer/utf8.h"

namespace hone::data {

bool is_space(char32_t code);        // property White_Space
bool is_numeric(char32_t code);      // categories Nd, Nl, No
bool is_punctuation(char32_t code);  // ASCII punctuation and symbols, and the categories P*
bool is_word(char32_t code);         // \w: alphabetic, marks, decimal digits, connectors, joiners

// Bytes of white space at the beginning and at the end of a valid UTF-8 text.
std::size_t leading_space_bytes(std::string_view text);
std::size_t trailing_space_bytes(std::string_view text);

// The first and the last character; the text must not be empty.
char32_t first_character(std::string_view text);
char32_t last_character(std::string_view text);

// Calls visit(code) for each character of a valid UTF-8 text.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  for (std::size_t offset = 0; offset < text.size();) {
    const Utf8Step step = utf8_step(text, offset);
    visit(step.code);
    offset += step.length;
  }
}

}  // namespace hone::data
