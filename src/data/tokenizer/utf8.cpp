#include "data/tokenizer/utf8.h"

#include "base/error.h"

namespace hone::data {

namespace {

// What may follow a leading byte: how many bytes in all, and the range of the second (table 3-7 of
// the Unicode standard).
struct Lead {
  std::size_t length;
  unsigned char second_low;
  unsigned char second_high;
};

Lead lead(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte >= 0xc2 && byte <= 0xdf) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte >= 0xe1 && byte <= 0xef) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte >= 0xf1 && byte <= 0xf3) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

Utf8Step utf8_step(std::string_view text, std::size_t offset) {
  HONE_ASSERT(offset < text.size(), offset, text.size());
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Lead first = lead(byte_at(offset));
  if (first.length == 0) return {Utf8Step::State::invalid, 0, 1};
  if (first.length == 1) return {Utf8Step::State::character, byte_at(offset), 1};
  char32_t code = byte_at(offset) & (0x7fu >> first.length);
  for (std::size_t i = 1; i < first.length; ++i) {
    if (offset + i == text.size()) return {Utf8Step::State::unfinished, 0, i};
    const unsigned char byte = byte_at(offset + i);
    const unsigned char low = i == 1 ? first.second_low : 0x80;
    const unsigned char high = i == 1 ? first.second_high : 0xbf;
    if (byte < low || byte > high) return {Utf8Step::State::invalid, 0, i};
    code = (code << 6) | (byte & 0x3fu);
  }
  return {Utf8Step::State::character, code, first.length};
}

void append_utf8(std::string& text, char32_t code) {
  const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | (code >> 6));
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3f));
    put(0x80 | ((code >> 6) & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

std::string take_utf8(std::string& bytes) {
  std::string text;
  std::size_t offset = 0;
  while (offset < bytes.size()) {
    const Utf8Step step = utf8_step(bytes, offset);
    if (step.state == Utf8Step::State::unfinished) break;
    if (step.state == Utf8Step::State::character) {
      text.append(bytes, offset, step.length);
    } else {
      append_utf8(text, 0xfffd);
    }
    offset += step.length;
  }
  bytes.erase(0, offset);
  return text;
}

}  // namespace hone::data
