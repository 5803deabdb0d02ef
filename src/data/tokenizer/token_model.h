// From a word to ids: the `model` of tokenizer.json.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "data/tokenizer/vocabulary.h"
#include "data/tokenizer/word_cache.h"

namespace hone::data {

class TokenModel {
 public:
  virtual ~TokenModel() = default;

  // Appends the ids of a word (a pre-tokenizer's piece, or a whole text where there is no
  // pre-tokenizer). Callable from several threads.
  virtual void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const = 0;

  // How many tokens there are; added tokens are numbered from here.
  virtual std::size_t size() const = 0;

  // Whether characters without a token are left out of the ids, for want of an unknown token.
  virtual bool drops_unknown() const = 0;

  const Vocabulary& vocabulary() const { return vocabulary_; }

 protected:
  explicit TokenModel(Vocabulary vocabulary)
      : vocabulary_(std::move(vocabulary)), cache_(std::make_unique<WordCache>()) {}

  // encode_word() by way of the cache; encode(word, ids) does it without.
  template <class Encode>
  void encode_cached(std::string_view word, std::vector<std::int32_t>& ids, Encode encode) const {
    if (word.size() > WordCache::kLongestWord) return encode(word, ids);
    if (cache_->append_to(word, ids)) return;
    std::vector<std::int32_t> fresh;
    encode(word, fresh);
    ids.insert(ids.end(), fresh.begin(), fresh.end());
    cache_->store(word, fresh);
  }

 private:
  Vocabulary vocabulary_;
  std::unique_ptr<WordCache> cache_;
};

}  // namespace hone::data
