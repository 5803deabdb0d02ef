#include "data/tokenizer/bpe.h"

#include <queue>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

constexpr std::string_view kRemedy =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";

// SentencePiece's sign for a space.
constexpr std::string_view kSpaceMark = "\u2581";

// Whether a space mark stands behind another character, where a new word begins.
bool begins_word(std::string_view text, std::size_t offset) {
  return offset > 0 && text.substr(offset, kSpaceMark.size()) == kSpaceMark &&
         (offset < kSpaceMark.size() ||
          text.substr(offset - kSpaceMark.size(), kSpaceMark.size()) != kSpaceMark);
}

// The next place behind `offset` where a word begins; the end where none does.
std::size_t next_word(std::string_view text, std::size_t offset) {
  for (std::size_t at = text.find(kSpaceMark, offset + 1); at != std::string_view::npos;
       at = text.find(kSpaceMark, at + 1)) {
    if (begins_word(text, at)) return at;
  }
  return text.size();
}

}  // namespace

// A token of the word while it is merged; a symbol that was joined to its left neighbour has id -1.
struct Bpe::Symbol {
  std::int32_t id;
  std::int32_t previous;  // positions; -1 at the ends
  std::int32_t next;
};

Bpe::Bpe(BpeDefinition definition, std::string_view where)
    : TokenModel(
          Vocabulary(std::move(definition.vocabulary), Vocabulary::Repeated::refused, where)),
      fuse_unknown_(definition.fuse_unknown),
      ignore_merges_(definition.ignore_merges) {
  add_merges(definition, where);
  if (definition.byte_fallback) bytes_.emplace(vocabulary());
  cut_at_marks_ = !ignore_merges_ && vocabulary().id(kSpaceMark) && merges_stay_in_words();
  if (!definition.unknown_token) return;
  unknown_id_ = vocabulary().id(*definition.unknown_token);
  if (!unknown_id_) {
    throw UserError({fmt::format("{}: unk_token '{}'", where, *definition.unknown_token),
                     "it is not in the vocabulary", std::string(kRemedy)});
  }
}

void Bpe::add_merges(const BpeDefinition& definition, std::string_view where) {
  merges_.reserve(definition.merges.size());
  for (std::size_t rank = 0; rank < definition.merges.size(); ++rank) {
    const std::string& left = definition.merges[rank].first;
    const std::string& right = definition.merges[rank].second;
    const auto id_of = [&](const std::string& token) {
      const std::optional<std::int32_t> id = vocabulary().id(token);
      if (!id) {
        throw UserError({fmt::format("{}: merge {} ('{}' with '{}')", where, rank, left, right),
                         fmt::format("'{}' is not in the vocabulary", token),
                         std::string(kRemedy)});
      }
      return *id;
    };
    const auto left_id = static_cast<std::uint32_t>(id_of(left));
    const auto right_id = static_cast<std::uint32_t>(id_of(right));
    const std::uint64_t key = (static_cast<std::uint64_t>(left_id) << 32) | right_id;
    // A pair that is there twice has its last rank, as in the `tokenizers` package.
    merges_[key] = {static_cast<std::uint32_t>(rank), id_of(left + right)};
  }
}

// Where no merge makes a token with a space mark behind another character, a text falls apart into
// words that merge by themselves.
bool Bpe::merges_stay_in_words() const {
  for (const auto& [pair, merge] : merges_) {
    const std::string& token = *vocabulary().text(merge.joined);
    if (next_word(token, 0) < token.size()) return false;
  }
  return true;
}

const Bpe::Merge* Bpe::find_merge(std::int32_t left, std::int32_t right) const {
  const auto found =
      merges_.find((static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint32_t>(right));
  return found == merges_.end() ? nullptr : &found->second;
}

// An unknown token waits until a known character (or the end) follows, also while bytes are written
// in between: so does the `tokenizers` package, and it shows where some bytes have no token.
std::vector<Bpe::Symbol> Bpe::symbols_of(std::string_view word) const {
  std::vector<std::int32_t> ids;
  ids.reserve(word.size());
  bool waiting = false;
  const auto release = [&] {
    if (waiting) ids.push_back(*unknown_id_);
    waiting = false;
  };
  for (std::size_t offset = 0; offset < word.size();) {
    const std::string_view letter = word.substr(offset, utf8_step(word, offset).length);
    offset += letter.size();
    if (const std::optional<std::int32_t> known = vocabulary().id(letter)) {
      release();
      ids.push_back(*known);
    } else if (!(bytes_ && bytes_->append(letter, ids)) && unknown_id_) {
      if (!fuse_unknown_) release();
      waiting = true;
    }
  }
  release();
  std::vector<Symbol> symbols;
  symbols.reserve(ids.size());
  for (const std::int32_t id : ids) {
    const auto position = static_cast<std::int32_t>(symbols.size());
    symbols.push_back({id, position - 1, position + 1});
  }
  if (!symbols.empty()) symbols.back().next = -1;
  return symbols;
}

void Bpe::merge(std::vector<Symbol>& symbols) const {
  struct Candidate {
    std::uint32_t rank;
    std::int32_t position;  // of the left symbol
    std::int32_t joined;
    bool operator<(const Candidate& other) const {  // the queue gives its largest
      return rank != other.rank ? rank > other.rank : position > other.position;
    }
  };
  const auto at = [&](std::int32_t position) -> Symbol& {
    return symbols[static_cast<std::size_t>(position)];
  };
  std::priority_queue<Candidate> queue;
  const auto consider = [&](std::int32_t left) {
    if (left < 0 || at(left).next < 0) return;
    const Merge* found = find_merge(at(left).id, at(at(left).next).id);
    if (found != nullptr) queue.push({found->rank, left, found->joined});
  };
  for (std::int32_t position = 0; position < static_cast<std::int32_t>(symbols.size());
       ++position) {
    consider(position);
  }
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    Symbol& left = at(best.position);
    if (left.id < 0 || left.next < 0) continue;
    // The pair may have changed since it was queued.
    const Merge* still = find_merge(left.id, at(left.next).id);
    if (still == nullptr || still->joined != best.joined) continue;
    Symbol& right = at(left.next);
    left.id = best.joined;
    left.next = right.next;
    right.id = -1;
    if (left.next >= 0) at(left.next).previous = best.position;
    consider(left.previous);
    consider(best.position);
  }
}

void Bpe::encode_uncached(std::string_view word, std::vector<std::int32_t>& ids) const {
  if (ignore_merges_) {
    if (const std::optional<std::int32_t> whole = vocabulary().id(word)) {
      ids.push_back(*whole);
      return;
    }
  }
  std::vector<Symbol> symbols = symbols_of(word);
  merge(symbols);
  for (const Symbol& symbol : symbols) {
    if (symbol.id >= 0) ids.push_back(symbol.id);
  }
}

void Bpe::encode_word(std::string_view word, std::vector<std::int32_t>& ids) const {
  const auto encode = [this](std::string_view part, std::vector<std::int32_t>& to) {
    encode_uncached(part, to);
  };
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t end = cut_at_marks_ ? next_word(word, begin) : word.size();
    encode_cached(word.substr(begin, end - begin), ids, encode);
    begin = end;
  }
}

}  // namespace hone::data
