// Byte-pair encoding of one word: the `model` of tokenizer.json of type BPE.
//
// A word begins as its characters; of all neighbouring pairs that a merge joins, the one of the
// lowest rank, of equal ones the leftmost, is joined, until none is left. A heap over a linked list
// of symbols makes that n log n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hone::data {

struct BpeDefinition {
  std::vector<std::pair<std::string, std::int64_t>> vocabulary;  // token, id
  std::vector<std::pair<std::string, std::string>> merges;       // by rank
  std::optional<std::string> unknown_token;
  bool fuse_unknown = false;   // neighbouring unknown characters make one token
  bool ignore_merges = false;  // a word that is a token is that token, whatever the merges say
};

class Bpe {
 public:
  // UserError for ids out of range or used twice, and for merges of tokens that are not in the
  // vocabulary; `where` names the file.
  Bpe(BpeDefinition definition, std::string_view where);
  Bpe(Bpe&&) noexcept;
  Bpe& operator=(Bpe&&) noexcept;
  ~Bpe();

  // Appends the ids of a word (a pre-tokenizer's piece). A character that is in no token becomes
  // the unknown token, or nothing where there is none. Callable from several threads.
  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const;

  std::optional<std::int32_t> token_id(std::string_view token) const;
  // nullptr for an id without a token.
  const std::string* token_text(std::int32_t id) const;
  std::size_t size() const { return ids_.size(); }
  std::size_t id_limit() const { return texts_.size(); }  // one above the largest id

 private:
  struct Merge {
    std::uint32_t rank;
    std::int32_t joined;
  };
  struct Symbol;
  class WordCache;

  void add_vocabulary(BpeDefinition& definition, std::string_view where);
  void add_merges(const BpeDefinition& definition, std::string_view where);
  const Merge* find_merge(std::int32_t left, std::int32_t right) const;
  std::vector<Symbol> symbols_of(std::string_view word) const;
  void merge(std::vector<Symbol>& symbols) const;
  void encode_uncached(std::string_view word, std::vector<std::int32_t>& ids) const;

  struct PairHash {
    std::size_t operator()(std::uint64_t pair) const {
      return static_cast<std::size_t>((pair ^ (pair >> 29)) * 0x9e3779b97f4a7c15u);
    }
  };

  std::vector<std::unique_ptr<const std::string>> texts_;   // by id; null where there is no token
  std::unordered_map<std::string_view, std::int32_t> ids_;  // views into texts_
  std::unordered_map<std::uint64_t, Merge, PairHash> merges_;  // key: left id << 32 | right id
  std::optional<std::int32_t> unknown_id_;
  bool fuse_unknown_ = false;
  bool ignore_merges_ = false;
  std::unique_ptr<WordCache> cache_;
};

}  // namespace hone::data
