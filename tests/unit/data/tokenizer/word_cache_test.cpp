#include "data/tokenizer/word_cache.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace hone::data {
namespace {

using Ids = std::vector<std::int32_t>;

std::string word(int number) {
  return std::to_string(number * 7919);
}

Ids ids_of(int number) {
  return Ids(static_cast<std::size_t>(number % 5), number);
}

TEST(WordCache, GivesWhatWasKeptBehindWhatIsThere) {
  WordCache cache;
  Ids ids = {1};
  EXPECT_FALSE(cache.append_to("a", ids));
  cache.store("a", {2, 3});
  cache.store("a", {4});  // the first stays
  cache.store("nothing", {});
  EXPECT_TRUE(cache.append_to("a", ids));
  EXPECT_TRUE(cache.append_to("nothing", ids));
  EXPECT_EQ(ids, (Ids{1, 2, 3}));
  EXPECT_FALSE(cache.append_to(std::string_view("a\0", 2), ids));
}

TEST(WordCache, LeavesOutEmptyAndLongWords) {
  WordCache cache;
  Ids ids;
  for (const std::string& text : {std::string(), std::string(WordCache::kLongestWord + 1, 'x')}) {
    cache.store(text, {1});
    EXPECT_FALSE(cache.append_to(text, ids));
  }
  const std::string longest(WordCache::kLongestWord, 'x');
  cache.store(longest, {1});
  EXPECT_TRUE(cache.append_to(longest, ids));
}

// Far more words than it holds, from several threads: what is found is right, and most is kept
// until it is full.
TEST(WordCache, IsRightWhenFullAndFromSeveralThreads) {
  WordCache cache;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&cache] {
      for (int i = 0; i < 60'000; ++i) {
        Ids ids;
        if (cache.append_to(word(i), ids)) {
          ASSERT_EQ(ids, ids_of(i)) << word(i);
        } else {
          cache.store(word(i), ids_of(i));
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int found = 0;
  for (int i = 0; i < 60'000; ++i) {
    Ids ids;
    if (!cache.append_to(word(i), ids)) continue;
    ++found;
    ASSERT_EQ(ids, ids_of(i));
  }
  EXPECT_EQ(found, 16 * 2048);
}

}  // namespace
}  // namespace hone::data
