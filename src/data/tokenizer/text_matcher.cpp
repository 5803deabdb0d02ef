#include "data/tokenizer/text_matcher.h"

#include "base/error.h"

namespace hone::data {

void TextMatcher::add(std::string_view text, std::int32_t value) {
  HONE_ASSERT(!text.empty());
  std::size_t node = 0;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const auto [entry, fresh] = nodes_[node].next.emplace(byte, nodes_.size());
    node = entry->second;
    if (fresh) nodes_.emplace_back();
  }
  nodes_[node].value = value;
  begins_[static_cast<unsigned char>(text.front())] = true;
}

std::optional<TextMatcher::Match> TextMatcher::match_at(std::string_view text,
                                                        std::size_t begin) const {
  std::optional<Match> longest;
  std::size_t node = 0;
  for (std::size_t end = begin; end < text.size();) {
    const auto entry = nodes_[node].next.find(static_cast<unsigned char>(text[end]));
    if (entry == nodes_[node].next.end()) break;
    node = entry->second;
    ++end;
    if (nodes_[node].value) longest = Match{begin, end, *nodes_[node].value};
  }
  return longest;
}

std::optional<TextMatcher::Match> TextMatcher::find(std::string_view text,
                                                    std::size_t start) const {
  for (std::size_t begin = start; begin < text.size(); ++begin) {
    if (!begins_[static_cast<unsigned char>(text[begin])]) continue;
    if (const std::optional<Match> match = match_at(text, begin)) return match;
  }
  return std::nullopt;
}

}  // namespace hone::data
