// Words that were met before, with their ids. Texts repeat their words: most lookups end here.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hone::data {

// Callable from several threads at once.
class WordCache {
 public:
  static constexpr std::size_t kLongestWord = 64;  // bytes; longer ones are not worth keeping

  // Appends the ids of the word; false when it is not there.
  bool append_to(std::string_view word, std::vector<std::int32_t>& ids);
  // Keeps the word, unless it is empty or too long, or the cache is full.
  void store(std::string_view word, const std::vector<std::int32_t>& ids);

 private:
  // 16 x 2,048 words of a few dozen bytes: about 4 MB when full.
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kWordsPerShard = 2048;
  static constexpr std::size_t kSlots = 2 * kWordsPerShard;

  // Where a word lies in the texts and its ids in the ids of its shard. A lookup reads a slot, the
  // text and the ids, and follows no pointers: it is what preparing data does most.
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t text = 0;
    std::uint32_t ids = 0;
    std::uint16_t id_count = 0;
    std::uint16_t length = 0;  // 0: an empty slot
  };
  struct Shard {
    std::mutex mutex;
    std::vector<Slot> slots;  // made with the first word
    std::string texts;
    std::vector<std::int32_t> ids;
    std::size_t words = 0;

    // The slot of the word, or the empty one where it belongs.
    Slot& find(std::string_view word, std::uint64_t hash);
  };

  std::array<Shard, kShards> shards_;
};

}  // namespace hone::data
