#include "data/tokenizer/word_cache.h"

namespace hone::data {

bool WordCache::append_to(std::string_view word, std::vector<std::int32_t>& ids) {
  Shard& shard = shard_of(word);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  const auto found = shard.words.find(word);
  if (found == shard.words.end()) return false;
  ids.insert(ids.end(), found->second.ids.begin(), found->second.ids.end());
  return true;
}

void WordCache::store(std::string_view word, std::vector<std::int32_t> ids) {
  Shard& shard = shard_of(word);
  const std::lock_guard<std::mutex> lock(shard.mutex);
  if (shard.words.size() >= kWordsPerShard) return;
  auto text = std::make_unique<const std::string>(word);
  const std::string_view key = *text;
  shard.words.emplace(key, Entry{std::move(text), std::move(ids)});
}

}  // namespace hone::data
