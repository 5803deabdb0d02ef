#include "data/tokenizer/unicode.h"

#include <utility>

#include <utf8proc.h>

namespace hone::data {

namespace {

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

// Where the last character of a non-empty text begins.
std::size_t last_offset(std::string_view text) {
  std::size_t offset = text.size() - 1;
  while (offset > 0 && (static_cast<unsigned char>(text[offset]) & 0xc0u) == 0x80u) --offset;
  return offset;
}

}  // namespace

bool is_space(char32_t code) {
  if ((code >= 0x9 && code <= 0xd) || code == 0x85) return true;
  const utf8proc_category_t found = category(code);
  return found == UTF8PROC_CATEGORY_ZS || found == UTF8PROC_CATEGORY_ZL ||
         found == UTF8PROC_CATEGORY_ZP;
}

bool is_numeric(char32_t code) {
  const utf8proc_category_t found = category(code);
  return found == UTF8PROC_CATEGORY_ND || found == UTF8PROC_CATEGORY_NL ||
         found == UTF8PROC_CATEGORY_NO;
}

bool is_punctuation(char32_t code) {
  if (code < 0x80) {
    return (code >= '!' && code <= '/') || (code >= ':' && code <= '@') ||
           (code >= '[' && code <= '`') || (code >= '{' && code <= '~');
  }
  const utf8proc_category_t found = category(code);
  return found >= UTF8PROC_CATEGORY_PC && found <= UTF8PROC_CATEGORY_PO;
}

bool is_word(char32_t code) {
  // Letters among the symbols (Other_Alphabetic: enclosed letters), and the two joiners.
  constexpr std::pair<char32_t, char32_t> kFurther[] = {{0x24b6, 0x24e9},
                                                        {0x1f130, 0x1f149},
                                                        {0x1f150, 0x1f169},
                                                        {0x1f170, 0x1f189},
                                                        {0x200c, 0x200d}};
  for (const auto& [first, last] : kFurther) {
    if (code >= first && code <= last) return true;
  }
  const utf8proc_category_t found = category(code);
  return (found >= UTF8PROC_CATEGORY_LU && found <= UTF8PROC_CATEGORY_ME) ||
         found == UTF8PROC_CATEGORY_ND || found == UTF8PROC_CATEGORY_NL ||
         found == UTF8PROC_CATEGORY_PC;
}

std::size_t leading_space_bytes(std::string_view text) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    const Utf8Step step = utf8_step(text, offset);
    if (!is_space(step.code)) break;
    offset += step.length;
  }
  return offset;
}

std::size_t trailing_space_bytes(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t offset = last_offset(text.substr(0, end));
    if (!is_space(utf8_step(text, offset).code)) break;
    end = offset;
  }
  return text.size() - end;
}

char32_t first_character(std::string_view text) {
  return utf8_step(text, 0).code;
}

char32_t last_character(std::string_view text) {
  return utf8_step(text, last_offset(text)).code;
}

}  // namespace hone::data
