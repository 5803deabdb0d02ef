#include "data/tokenizer/word_cache.h"

#include <functional>
#include <limits>

namespace hone::data {
namespace {

// Which shard, by bits that do not choose the slot.
constexpr int kShardShift = 48;

std::uint64_t hash_of(std::string_view word) {
  return std::hash<std::string_view>{}(word);
}

}  // namespace

// Half of the slots stay empty, so that the walk ends.
WordCache::Slot& WordCache::Shard::find(std::string_view word, std::uint64_t hash) {
  for (std::size_t at = hash % kSlots;; at = (at + 1) % kSlots) {
    Slot& slot = slots[at];
    if (slot.length == 0) return slot;
    if (slot.hash == hash && word == std::string_view(texts.data() + slot.text, slot.length)) {
      return slot;
    }
  }
}

bool WordCache::append_to(std::string_view word, std::vector<std::int32_t>& ids) {
  const std::uint64_t hash = hash_of(word);
  Shard& shard = shards_[(hash >> kShardShift) % kShards];
  const std::lock_guard<std::mutex> lock(shard.mutex);
  if (shard.words == 0) return false;
  const Slot& slot = shard.find(word, hash);
  if (slot.length == 0) return false;
  const std::int32_t* begin = shard.ids.data() + slot.ids;
  ids.insert(ids.end(), begin, begin + slot.id_count);
  return true;
}

void WordCache::store(std::string_view word, const std::vector<std::int32_t>& ids) {
  if (word.empty() || word.size() > kLongestWord) return;
  const std::uint64_t hash = hash_of(word);
  Shard& shard = shards_[(hash >> kShardShift) % kShards];
  const std::lock_guard<std::mutex> lock(shard.mutex);
  if (shard.words >= kWordsPerShard) return;
  if (ids.size() > std::numeric_limits<std::uint16_t>::max()) return;
  if (shard.words == 0) shard.slots.resize(kSlots);
  Slot& slot = shard.find(word, hash);
  if (slot.length != 0) return;  // another thread was first
  slot = {hash, static_cast<std::uint32_t>(shard.texts.size()),
          static_cast<std::uint32_t>(shard.ids.size()), static_cast<std::uint16_t>(ids.size()),
          static_cast<std::uint16_t>(word.size())};
  shard.texts += word;
  shard.ids.insert(shard.ids.end(), ids.begin(), ids.end());
  ++shard.words;
}

}  // namespace hone::data
