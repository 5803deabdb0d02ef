// The cut of a word with the largest sum of token scores: the `model` of tokenizer.json of type
// Unigram (SentencePiece's, as the `tokenizers` package runs it).
//
// Viterbi over the bytes of the word: the best cut up to each place is the best cut up to an
// earlier one and a token between them; of equal ones the first found stays. A character that is no
// token by itself may be cut out as unknown, for the smallest score of the vocabulary less ten.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/tokenizer/prefix_trie.h"
#include "data/tokenizer/token_model.h"

namespace hone::data {

struct UnigramDefinition {
  std::vector<std::pair<std::string, double>> pieces;  // token and score; its place is its id
  std::optional<std::int64_t> unknown_id;
  bool byte_fallback =
      false;  // what is unknown becomes the tokens of its bytes, where all are there
};

class Unigram : public TokenModel {
 public:
  // UserError for a vocabulary without tokens, a token too long, an unknown_id that no token has;
  // `where` names the file.
  Unigram(UnigramDefinition definition, std::string_view where);

  // UserError when a character has no token and there is no unknown token.
  void encode_word(std::string_view word, std::vector<std::int32_t>& ids) const override;
  std::size_t size() const override { return scores_.size(); }
  bool drops_unknown() const override { return false; }

 private:
  struct Cut;

  void encode_uncached(std::string_view word, std::vector<std::int32_t>& ids) const;
  std::vector<Cut> best_cuts(std::string_view word) const;
  void append_piece(std::string_view piece, std::vector<std::int32_t>& ids) const;
  std::int32_t unknown(std::string_view piece) const;

  std::string where_;
  std::vector<double> scores_;  // by id
  std::optional<std::int32_t> unknown_id_;
  double unknown_score_ = 0.0;
  std::optional<ByteTokens> bytes_;  // with byte_fallback
  PrefixTrie trie_;
};

}  // namespace hone::data
