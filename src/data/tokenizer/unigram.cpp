#include "data/tokenizer/unigram.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/utf8.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kRemedy =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";
constexpr double kUnknownPenalty = 10.0;

// Encoding takes, per place of the text, at most as many steps as the longest token has bytes.
constexpr std::size_t kLongestPieceBytes = 4096;

Vocabulary vocabulary_of(const UnigramDefinition& definition, std::string_view where) {
  std::vector<Vocabulary::Entry> entries;
  entries.reserve(definition.pieces.size());
  for (std::size_t id = 0; id < definition.pieces.size(); ++id) {
    const std::string& text = definition.pieces[id].first;
    if (text.size() > kLongestPieceBytes) {
      throw UserError({fmt::format("{}: token {} of the vocabulary", where, id),
                       fmt::format("it has {} bytes, and {} is the most that hone reads",
                                   text.size(), kLongestPieceBytes),
                       std::string(kRemedy)});
    }
    entries.emplace_back(text, static_cast<std::int64_t>(id));
  }
  return Vocabulary(std::move(entries), Vocabulary::Repeated::last, where);
}

// The views lie in the vocabulary, whose texts do not move.
std::vector<std::pair<std::string_view, std::int32_t>> texts_of(const Vocabulary& vocabulary) {
  std::vector<std::pair<std::string_view, std::int32_t>> texts;
  for (std::size_t id = 0; id < vocabulary.id_limit(); ++id) {
    const auto token = static_cast<std::int32_t>(id);
    texts.emplace_back(*vocabulary.text(token), token);
  }
  return texts;
}

}  // namespace

// The best cut that ends at a place of the word.
struct Unigram::Cut {
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  std::size_t begin = kNone;  // where its last token begins
  double score = 0.0;         // of the whole cut
  std::int32_t id = 0;        // of its last token

  void offer(std::size_t other_begin, double other_score, std::int32_t other_id) {
    if (begin != kNone && other_score <= score) return;
    *this = {other_begin, other_score, other_id};
  }
};

Unigram::Unigram(UnigramDefinition definition, std::string_view where)
    : TokenModel(vocabulary_of(definition, where)), where_(where), trie_(texts_of(vocabulary())) {
  if (definition.pieces.empty()) {
    throw UserError(
        {fmt::format("{}: the vocabulary", where), "it has no tokens", std::string(kRemedy)});
  }
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [text, score] : definition.pieces) {
    scores_.push_back(score);
    smallest = std::min(smallest, score);
  }
  unknown_score_ = smallest - kUnknownPenalty;
  if (definition.byte_fallback) bytes_.emplace(vocabulary());
  if (!definition.unknown_id) return;
  if (*definition.unknown_id < 0 ||
      *definition.unknown_id >= static_cast<std::int64_t>(scores_.size())) {
    throw UserError({fmt::format("{}: unk_id {}", where, *definition.unknown_id),
                     fmt::format("the vocabulary has {} tokens", scores_.size()),
                     std::string(kRemedy)});
  }
  unknown_id_ = static_cast<std::int32_t>(*definition.unknown_id);
}

std::int32_t Unigram::unknown(std::string_view piece) const {
  if (unknown_id_) return *unknown_id_;
  throw UserError({fmt::format("a text with '{}', to be turned into tokens", piece),
                   fmt::format("{} has no token for it, and no unknown token", where_),
                   "remove the character, or use a tokenizer that can write it"});
}

std::vector<Unigram::Cut> Unigram::best_cuts(std::string_view word) const {
  std::vector<Cut> cuts(word.size() + 1);
  for (std::size_t begin = 0; begin < word.size();) {
    const double score = cuts[begin].score;
    const std::size_t letter = utf8_step(word, begin).length;
    bool alone = false;
    trie_.prefixes(word.substr(begin), [&](std::size_t length, std::int32_t id) {
      cuts[begin + length].offer(begin, score + scores_[static_cast<std::size_t>(id)], id);
      alone = alone || length == letter;
    });
    if (!alone) {
      cuts[begin + letter].offer(begin, score + unknown_score_,
                                 unknown(word.substr(begin, letter)));
    }
    begin += letter;
  }
  return cuts;
}

// A piece that was cut out as unknown may be a token all the same, when several were fused.
void Unigram::append_piece(std::string_view piece, std::vector<std::int32_t>& ids) const {
  if (const std::optional<std::int32_t> id = vocabulary().id(piece)) {
    ids.push_back(*id);
  } else if (!(bytes_ && bytes_->append(piece, ids))) {
    ids.push_back(unknown(piece));
  }
}

void Unigram::encode_uncached(std::string_view word, std::vector<std::int32_t>& ids) const {
  const std::vector<Cut> cuts = best_cuts(word);
  std::vector<std::string_view> pieces;  // from the last to the first
  bool fuse = false;
  for (std::size_t end = word.size(); end > 0;) {
    const std::size_t begin = cuts[end].begin;
    HONE_ASSERT(begin < end, begin, end);
    std::string_view piece = word.substr(begin, end - begin);
    const bool is_unknown = unknown_id_ && cuts[end].id == *unknown_id_;
    if (is_unknown && fuse) {
      piece = word.substr(begin, piece.size() + pieces.back().size());
      pieces.pop_back();
    }
    pieces.push_back(piece);
    fuse = is_unknown;
    end = begin;
  }
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) append_piece(*piece, ids);
}

void Unigram::encode_word(std::string_view word, std::vector<std::int32_t>& ids) const {
  encode_cached(word, ids, [this](std::string_view part, std::vector<std::int32_t>& to) {
    encode_uncached(part, to);
  });
}

}  // namespace hone::data
