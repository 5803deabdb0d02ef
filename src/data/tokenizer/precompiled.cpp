#include "data/tokenizer/precompiled.h"

#include <algorithm>

#include <fmt/format.h>
#include <utf8proc.h>

#include "base/error.h"
#include "data/tokenizer/utf8.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

[[noreturn]] void refuse(std::string_view where, std::string found) {
  throw UserError({std::string(where), std::move(found),
                   "the file is damaged: take the tokenizer file that came with the model"});
}

std::string from_base64(std::string_view text, std::string_view where) {
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t value = kLetters.find(text[i]);
    if (value == std::string_view::npos) {
      refuse(where, fmt::format("character {} is not base 64", i));
    }
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>((bits >> held) & 0xffu));
  }
  return bytes;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) {
    value = (value << 8) | static_cast<unsigned char>(bytes[offset + i]);
  }
  return value;
}

// A unit of the double array (Darts-clone's layout).
bool has_leaf(std::uint32_t unit) {
  return ((unit >> 8) & 1u) != 0;
}
std::uint32_t value_of(std::uint32_t unit) {
  return unit & 0x7fffffffu;
}
std::uint32_t label_of(std::uint32_t unit) {
  return unit & 0x800000ffu;
}
std::uint32_t offset_of(std::uint32_t unit) {
  return (unit >> 10) << ((unit & 0x200u) >> 6);
}

// Where the grapheme cluster that begins at `begin` ends.
std::size_t cluster_end(std::string_view text, std::size_t begin) {
  utf8proc_int32_t state = 0;
  Utf8Step before = utf8_step(text, begin);
  std::size_t end = begin + before.length;
  while (end < text.size()) {
    const Utf8Step next = utf8_step(text, end);
    if (before.code < 0x80 && next.code < 0x80 && before.code != '\r') break;
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before.code),
                                         static_cast<utf8proc_int32_t>(next.code), &state)) {
      break;
    }
    end += next.length;
    before = next;
  }
  return end;
}

}  // namespace

Precompiled::Precompiled(std::string_view charsmap, std::string_view where) {
  constexpr std::size_t kSizeBytes = 4;
  constexpr std::size_t kUnitBytes = 4;
  if (charsmap.size() < kSizeBytes) refuse(where, fmt::format("{} bytes", charsmap.size()));
  const std::size_t trie_bytes = little_endian(charsmap, 0);
  if (trie_bytes == 0 || trie_bytes % kUnitBytes != 0 ||
      trie_bytes > charsmap.size() - kSizeBytes) {
    refuse(where, fmt::format("a trie of {} bytes in a map of {}", trie_bytes, charsmap.size()));
  }
  for (std::size_t at = 0; at < trie_bytes; at += kUnitBytes) {
    units_.push_back(little_endian(charsmap, kSizeBytes + at));
  }
  texts_ = charsmap.substr(kSizeBytes + trie_bytes);
  if (const std::optional<std::size_t> broken = formats::invalid_utf8(texts_)) {
    refuse(where, fmt::format("byte {} of its texts is not UTF-8", *broken));
  }
}

std::optional<std::string_view> Precompiled::rule_for(std::string_view text) const {
  std::size_t node = offset_of(units_[0]);
  for (const char letter : text) {
    const std::uint32_t byte = static_cast<unsigned char>(letter);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || label_of(units_[node]) != byte) return std::nullopt;
    const bool leaf = has_leaf(units_[node]);
    node ^= offset_of(units_[node]);
    if (!leaf) continue;
    if (node >= units_.size()) return std::nullopt;
    const std::size_t begin = std::min<std::size_t>(value_of(units_[node]), texts_.size());
    const std::size_t end = std::min(texts_.find('\0', begin), texts_.size());
    // A made-up offset may point into a character.
    const std::string_view rule = std::string_view(texts_).substr(begin, end - begin);
    if (formats::invalid_utf8(rule)) return std::nullopt;
    return rule;
  }
  return std::nullopt;
}

void Precompiled::rewrite(std::string_view cluster, std::string& to) const {
  constexpr std::size_t kLongestWhole = 5;
  if (cluster.size() <= kLongestWhole) {
    if (const std::optional<std::string_view> rule = rule_for(cluster)) {
      to += *rule;
      return;
    }
  }
  for (std::size_t offset = 0; offset < cluster.size();) {
    const std::string_view letter = cluster.substr(offset, utf8_step(cluster, offset).length);
    to += rule_for(letter).value_or(letter);
    offset += letter.size();
  }
}

void Precompiled::apply(TextPiece& piece) const {
  std::string rewritten;
  rewritten.reserve(piece.text.size());
  std::size_t first = 0;
  for (std::size_t begin = 0; begin < piece.text.size();) {
    const std::size_t end = cluster_end(piece.text, begin);
    rewrite(std::string_view(piece.text).substr(begin, end - begin), rewritten);
    // What vanishes at the beginning leaves its place to what follows.
    if (first == 0 && piece.first_bytes > 0) first = rewritten.size();
    begin = end;
  }
  piece = {std::move(rewritten), first};
}

std::unique_ptr<Normalizer> make_precompiled(const formats::JsonObject& fields) {
  constexpr std::string_view kKey = "precompiled_charsmap";
  const std::string where = fields.where(kKey);
  return std::make_unique<Precompiled>(from_base64(fields.string(kKey), where), where);
}

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits <<= 8;
      if (at + i < bytes.size()) bits |= static_cast<unsigned char>(bytes[at + i]);
    }
    const std::size_t letters = std::min<std::size_t>(bytes.size() - at, 3) + 1;
    for (std::size_t i = 0; i < 4; ++i) {
      text += i < letters ? kLetters[(bits >> (18 - 6 * i)) & 0x3fu] : '=';
    }
  }
  return text;
}

}  // namespace hone::data
