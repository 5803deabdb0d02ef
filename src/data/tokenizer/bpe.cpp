#include "data/tokenizer/bpe.h"

#include <array>
#include <mutex>
#include <queue>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

constexpr std::string_view kRemedy =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";

// Ids may have holes, but not so many that a made-up id makes the tables huge.
constexpr std::int64_t kIdsPerToken = 4;
constexpr std::int64_t kSpareIds = 65536;

}  // namespace

// Words that were met before. Texts repeat their words: most lookups end here.
class Bpe::WordCache {
 public:
  static constexpr std::size_t kLongestWord = 64;

  bool append_to(std::string_view word, std::vector<std::int32_t>& ids) {
    Shard& shard = shard_of(word);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    const auto found = shard.words.find(word);
    if (found == shard.words.end()) return false;
    ids.insert(ids.end(), found->second.ids.begin(), found->second.ids.end());
    return true;
  }

  void store(std::string_view word, std::vector<std::int32_t> ids) {
    Shard& shard = shard_of(word);
    const std::lock_guard<std::mutex> lock(shard.mutex);
    if (shard.words.size() >= kWordsPerShard) return;
    auto text = std::make_unique<const std::string>(word);
    const std::string_view key = *text;
    shard.words.emplace(key, Entry{std::move(text), std::move(ids)});
  }

 private:
  // 16 x 2,048 words of a few dozen bytes: about 4 MB when full.
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kWordsPerShard = 2048;

  struct Entry {
    std::unique_ptr<const std::string> text;  // what the key views
    std::vector<std::int32_t> ids;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::string_view, Entry> words;
  };

  Shard& shard_of(std::string_view word) {
    return shards_[std::hash<std::string_view>{}(word) / 7 % kShards];
  }

  std::array<Shard, kShards> shards_;
};

// A token of the word while it is merged; a symbol that was joined to its left neighbour has id -1.
struct Bpe::Symbol {
  std::int32_t id;
  std::int32_t previous;  // positions; -1 at the ends
  std::int32_t next;
};

Bpe::Bpe(BpeDefinition definition, std::string_view where)
    : fuse_unknown_(definition.fuse_unknown),
      ignore_merges_(definition.ignore_merges),
      cache_(std::make_unique<WordCache>()) {
  add_vocabulary(definition, where);
  add_merges(definition, where);
  if (!definition.unknown_token) return;
  unknown_id_ = token_id(*definition.unknown_token);
  if (!unknown_id_) {
    throw UserError({fmt::format("{}: unk_token '{}'", where, *definition.unknown_token),
                     "it is not in the vocabulary", std::string(kRemedy)});
  }
}

Bpe::Bpe(Bpe&&) noexcept = default;
Bpe& Bpe::operator=(Bpe&&) noexcept = default;
Bpe::~Bpe() = default;

void Bpe::add_vocabulary(BpeDefinition& definition, std::string_view where) {
  const std::int64_t limit =
      kIdsPerToken * static_cast<std::int64_t>(definition.vocabulary.size()) + kSpareIds;
  ids_.reserve(definition.vocabulary.size());
  for (auto& [text, id] : definition.vocabulary) {
    const auto refuse = [&, &token = text](std::string found) {
      throw UserError({fmt::format("{}: token '{}' of the vocabulary", where, token),
                       std::move(found), std::string(kRemedy)});
    };
    if (id < 0 || id >= limit) refuse(fmt::format("its id {} is out of range", id));
    const auto index = static_cast<std::size_t>(id);
    if (index >= texts_.size()) texts_.resize(index + 1);
    if (texts_[index] != nullptr) {
      refuse(fmt::format("its id {} belongs to '{}' already", id, *texts_[index]));
    }
    texts_[index] = std::make_unique<const std::string>(std::move(text));
    if (!ids_.emplace(*texts_[index], static_cast<std::int32_t>(id)).second) {
      throw UserError({fmt::format("{}: token '{}' of the vocabulary", where, *texts_[index]),
                       "it is there twice", std::string(kRemedy)});
    }
  }
}

void Bpe::add_merges(const BpeDefinition& definition, std::string_view where) {
  merges_.reserve(definition.merges.size());
  for (std::size_t rank = 0; rank < definition.merges.size(); ++rank) {
    const std::string& left = definition.merges[rank].first;
    const std::string& right = definition.merges[rank].second;
    const auto id_of = [&](const std::string& token) {
      const std::optional<std::int32_t> id = token_id(token);
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

std::optional<std::int32_t> Bpe::token_id(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

const std::string* Bpe::token_text(std::int32_t id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= texts_.size()) return nullptr;
  return texts_[static_cast<std::size_t>(id)].get();
}

const Bpe::Merge* Bpe::find_merge(std::int32_t left, std::int32_t right) const {
  const auto found =
      merges_.find((static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint32_t>(right));
  return found == merges_.end() ? nullptr : &found->second;
}

std::vector<Bpe::Symbol> Bpe::symbols_of(std::string_view word) const {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  bool after_unknown = false;
  for (std::size_t offset = 0; offset < word.size();) {
    const std::size_t length = utf8_step(word, offset).length;
    const std::optional<std::int32_t> known = token_id(word.substr(offset, length));
    const bool fused = !known && after_unknown && fuse_unknown_;
    const std::optional<std::int32_t> id = known ? known : unknown_id_;
    if (id && !fused) {
      const auto position = static_cast<std::int32_t>(symbols.size());
      symbols.push_back({*id, position - 1, position + 1});
    }
    after_unknown = !known && unknown_id_.has_value();
    offset += length;
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
    if (const std::optional<std::int32_t> whole = token_id(word)) {
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
  if (word.size() > WordCache::kLongestWord) return encode_uncached(word, ids);
  if (cache_->append_to(word, ids)) return;
  std::vector<std::int32_t> fresh;
  encode_uncached(word, fresh);
  ids.insert(ids.end(), fresh.begin(), fresh.end());
  cache_->store(word, std::move(fresh));
}

}  // namespace hone::data
