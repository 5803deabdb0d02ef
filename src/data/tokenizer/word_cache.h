// Words that were met before, with their ids. Texts repeat their words: most lookups end here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hone::data {

// Callable from several threads at once.
class WordCache {
 public:
  static constexpr std::size_t kLongestWord = 64;  // bytes; longer ones are not worth keeping

  // Appends the ids of the word; false when it is not there.
  bool append_to(std::string_view word, std::vector<std::int32_t>& ids);
  // Keeps the word, unless the cache is full.
  void store(std::string_view word, std::vector<std::int32_t> ids);

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

}  // namespace hone::data
