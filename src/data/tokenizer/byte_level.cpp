#include "data/tokenizer/byte_level.h"

#include <array>

#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

constexpr bool stands_for_itself(int byte) {
  return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

constexpr char32_t kFirstSpareLetter = 0x100;
constexpr std::size_t kLetters = 0x100 + 68;

struct Tables {
  std::array<char32_t, 256> letter{};
  std::array<std::int16_t, kLetters> byte{};  // -1: no byte letter
};

constexpr Tables make_tables() {
  Tables tables;
  for (std::int16_t& byte : tables.byte) byte = -1;
  char32_t spare = kFirstSpareLetter;
  for (int byte = 0; byte < 256; ++byte) {
    const char32_t letter = stands_for_itself(byte) ? static_cast<char32_t>(byte) : spare++;
    tables.letter[static_cast<std::size_t>(byte)] = letter;
    tables.byte[letter] = static_cast<std::int16_t>(byte);
  }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::string to_byte_letters(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4);
  for (const char byte : bytes) append_utf8(text, kTables.letter[static_cast<unsigned char>(byte)]);
  return text;
}

std::optional<std::uint8_t> byte_of_letter(char32_t letter) {
  if (letter >= kLetters || kTables.byte[letter] < 0) return std::nullopt;
  return static_cast<std::uint8_t>(kTables.byte[letter]);
}

std::string from_byte_letters(std::string_view token) {
  std::string bytes;
  std::size_t offset = 0;
  while (offset < token.size()) {
    const Utf8Step step = utf8_step(token, offset);
    const std::optional<std::uint8_t> byte = byte_of_letter(step.code);
    if (step.state != Utf8Step::State::character || !byte) return std::string(token);
    bytes.push_back(static_cast<char>(*byte));
    offset += step.length;
  }
  return bytes;
}

}  // namespace hone::data
