// GPT-2's letters for bytes: each of the 256 bytes is written as one printable character, so that
// any bytes can stand in a vocabulary of texts. Printable Latin-1 bytes stand for themselves; the
// other 68 are, in order, U+0100 onwards. (OpenAI GPT-2, encoder.py, bytes_to_unicode.)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hone::data {

std::string to_byte_letters(std::string_view bytes);

// The byte that a letter stands for; nothing for any other character.
std::optional<std::uint8_t> byte_of_letter(char32_t letter);

// The bytes that a token stands for. A token with any character that is no byte letter stands for
// its own UTF-8 bytes, as in the `tokenizers` package.
std::string from_byte_letters(std::string_view token);

}  // namespace hone::data
