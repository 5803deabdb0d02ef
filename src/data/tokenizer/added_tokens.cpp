#include "data/tokenizer/added_tokens.h"

#include <algorithm>

#include "data/tokenizer/unicode.h"

namespace hone::data {

void AddedTokens::add(AddedToken token) {
  const auto known = ids_.find(token.content);
  if (known != ids_.end()) token.id = known->second;
  ids_[token.content] = token.id;
  by_id_[token.id] = std::move(token);
}

void AddedTokens::prepare(const std::function<std::string(std::string)>& normalize) {
  raw_ = {};
  normalized_ = {};
  any_normalized_special_ = false;
  for (auto& [id, token] : by_id_) {
    token.decoded = token.normalized ? normalize(token.content) : token.content;
    if (token.decoded.empty()) continue;
    (token.normalized ? normalized_ : raw_).add(token.decoded, id);
    if (token.normalized && token.special) any_normalized_special_ = true;
  }
}

bool AddedTokens::stands_alone(std::string_view text, std::size_t begin, std::size_t end) const {
  return (begin == 0 || !is_word(last_character(text.substr(0, begin)))) &&
         (end == text.size() || !is_word(first_character(text.substr(end))));
}

std::vector<TokenOrText> AddedTokens::cut(std::string_view text, bool normalized,
                                          const KeepSpecial& keep_special) const {
  std::vector<TokenOrText> pieces;
  std::size_t done = 0;
  std::size_t search = 0;
  const TextMatcher& matcher = normalized ? normalized_ : raw_;
  while (const auto match = matcher.find(text, search)) {
    search = match->end;
    const AddedToken& token = by_id_.at(match->value);
    if (token.special && !keep_special(match->begin, match->end)) continue;
    if (token.single_word && !stands_alone(text, match->begin, match->end)) continue;
    std::size_t begin = match->begin;
    std::size_t end = match->end;
    // What an earlier token took already is not taken again.
    if (token.lstrip) begin = std::max(begin - trailing_space_bytes(text.substr(0, begin)), done);
    if (token.rstrip) end += leading_space_bytes(text.substr(end));
    if (done < begin) pieces.push_back({std::nullopt, done, begin});
    pieces.push_back({token.id, begin, end});
    done = end;
  }
  if (done < text.size()) pieces.push_back({std::nullopt, done, text.size()});
  return pieces;
}

const AddedToken* AddedTokens::find(std::string_view content) const {
  const auto found = ids_.find(std::string(content));
  return found == ids_.end() ? nullptr : &by_id_.at(found->second);
}

const AddedToken* AddedTokens::find(std::int32_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

}  // namespace hone::data
