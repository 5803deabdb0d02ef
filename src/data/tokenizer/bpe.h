// Byte-pair encoding of one word: the `model` of tokenizer.json of type BPE.
//
// A word begins as its characters; of all neighbouring pairs that a merge joins, the one of the
// lowest rank, of equal ones the leftmost, is joined, until none is left. A heap over a linked list
// of symbols makes that n log n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/tokenizer/token_model.h"

namespace hone::data {

struct BpeDefinition {
  std::vector<Vocabulary::Entry> vocabulary;
  std::vector<std::pair<std::string, std::string>> merges;  // by rank
  std::optional<std::string> unknown_token;
  bool fuse_unknown = false;   // neighbouring unknown characters make one token
  bool byte_fallback = false;  // an unknown character becomes the tokens of its bytes, where there
  bool ignore_merges = false;  // a word that is a token is that token, whatever the merges say
};

class Bpe : public TokenModel {
 public:
  // UserError for ids out of range or used twice, and for merges of tokens that are not in the
  // vocabulary; `where` names the file.
  Bpe(BpeDefinition definition, std::string_view where);

  // A character that is in no token becomes the tokens of its bytes (with byte_fallback), else the
  // unknown token, or nothing where there is none.
  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const override;
  std::size_t size() const override { return vocabulary().texts(); }
  bool drops_unknown() const override { return !unknown_id_ && !(bytes_ && bytes_->complete()); }

 private:
  struct Merge {
    std::uint32_t rank;
    std::int32_t joined;
  };
  struct Symbol;

  void add_merges(const BpeDefinition& definition, std::string_view where);
  bool merges_stay_in_words() const;
  const Merge* find_merge(std::int32_t left, std::int32_t right) const;
  std::vector<Symbol> symbols_of(std::string_view word) const;
  void merge(std::vector<Symbol>& symbols) const;
  void encode_uncached(std::string_view word, std::vector<std::int32_t>& ids) const;

  struct PairHash {
    std::size_t operator()(std::uint64_t pair) const {
      return static_cast<std::size_t>((pair ^ (pair >> 29)) * 0x9e3779b97f4a7c15u);
    }
  };

  std::unordered_map<std::uint64_t, Merge, PairHash> merges_;  // key: left id << 32 | right id
  std::optional<ByteTokens> bytes_;                            // with byte_fallback
  std::optional<std::int32_t> unknown_id_;
  bool fuse_unknown_ = false;
  bool ignore_merges_ = false;
  bool cut_at_marks_ = false;
};

}  // namespace hone::data
