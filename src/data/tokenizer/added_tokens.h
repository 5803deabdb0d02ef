// Tokens beside the model's vocabulary: their text is found in the input before it is split.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/tokenizer/text_matcher.h"

namespace hone::data {

struct AddedToken {
  std::string content;
  std::int32_t id = 0;
  bool special = false;      // control token: skipped by decoding, split by split_special_tokens
  bool single_word = false;  // only where no word character touches it
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space behind it
  bool normalized = false;   // found after normalization instead of before
  std::string decoded = {};  // what it is decoded to: the normalized content if `normalized`
};

// A piece of text: a token, or text to be encoded (id absent).
struct TokenOrText {
  std::optional<std::int32_t> id;
  std::size_t begin = 0;  // bytes [begin, end) of the text that was searched
  std::size_t end = 0;
};

// Asked for each special token found: whether it keeps its meaning.
using KeepSpecial = std::function<bool(std::size_t begin, std::size_t end)>;

class AddedTokens {
 public:
  // Adds a token or, when its content is there already, replaces its flags (the id stays).
  void add(AddedToken token);

  // Makes the tokens findable and decodable; to be called after the last add(). `normalize` gives
  // the form in which `normalized` tokens stand in normalized text.
  void prepare(const std::function<std::string(std::string)>& normalize);

  // Cuts a text at the tokens that are looked for before (`normalized` false) or after
  // normalization.
  std::vector<TokenOrText> cut(std::string_view text, bool normalized,
                               const KeepSpecial& keep_special) const;

  bool any_normalized_special() const { return any_normalized_special_; }

  const AddedToken* find(std::string_view content) const;
  const AddedToken* find(std::int32_t id) const;
  // By id.
  const std::map<std::int32_t, AddedToken>& all() const { return by_id_; }

 private:
  bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) const;

  std::map<std::int32_t, AddedToken> by_id_;
  std::unordered_map<std::string, std::int32_t> ids_;
  TextMatcher raw_;
  TextMatcher normalized_;
  bool any_normalized_special_ = false;
};

}  // namespace hone::data
