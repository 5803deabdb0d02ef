#include "base/for_each_index.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"

namespace hone {
namespace {

TEST(ForEachIndex, EveryIndexOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const std::int64_t count : {0, 1, 5, 1000}) {
      std::vector<int> calls(static_cast<std::size_t>(count), 0);
      for_each_index(count, threads, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
}

TEST(ForEachIndex, OneThreadIsTheCallers) {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<std::int64_t> order;
  for_each_index(4, 1, [&](std::int64_t i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3}));
}

// Waits until `count` has reached `wanted`; false when that takes absurdly long.
bool reached(const std::atomic<int>& count, int wanted) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (count.load() < wanted) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// Each of the three indices waits for the others: only three threads at a time get through.
TEST(ForEachIndex, ThreadsWorkAtTheSameTimeTheCallersAmongThem) {
  std::atomic<int> arrived = 0;
  std::mutex mutex;
  std::set<std::thread::id> workers;
  for_each_index(3, 3, [&](std::int64_t) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      workers.insert(std::this_thread::get_id());
    }
    ++arrived;
    EXPECT_TRUE(reached(arrived, 3));
  });
  EXPECT_EQ(workers.size(), 3u);
  EXPECT_EQ(workers.count(std::this_thread::get_id()), 1u);
}

// Three indices stay where they are for a while: a fourth thread would take the next one.
TEST(ForEachIndex, NeverMoreThreadsThanAsked) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  for_each_index(50, 3, [&](std::int64_t i) {
    const int now = ++inside;
    int seen = most.load();
    while (now > seen && !most.compare_exchange_weak(seen, now)) {
    }
    if (i < 3) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    --inside;
  });
  EXPECT_LE(most.load(), 3);
}

TEST(ForEachIndex, ThrowsTheErrorOfTheLowestIndex) {
  for (int round = 0; round < 50; ++round) {
    try {
      for_each_index(200, 4, [](std::int64_t i) {
        if (i % 7 == 3) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
  }
}

// Index 1 throws while index 0 still works: 0 is finished, its own error counts, and its type too.
TEST(ForEachIndex, FinishesWhatHasBeenStarted) {
  std::atomic<int> thrown = 0;
  const auto run = [&](bool fail_late) {
    thrown = 0;
    bool finished = false;
    try {
      for_each_index(2, 2, [&](std::int64_t i) {
        if (i == 1) {
          ++thrown;
          throw std::runtime_error("1");
        }
        EXPECT_TRUE(reached(thrown, 1));
        finished = true;
        if (fail_late) throw UserError({"asked", "found", "remedy"});
      });
      ADD_FAILURE() << "nothing thrown";
    } catch (const std::runtime_error&) {
      EXPECT_TRUE(finished);
      throw;
    }
  };
  EXPECT_THROW(run(true), UserError);
  EXPECT_THROW(run(false), std::runtime_error);
}

TEST(ForEachIndex, StartsNothingAfterAnError) {
  int calls = 0;
  EXPECT_THROW(for_each_index(100, 1,
                              [&](std::int64_t i) {
                                ++calls;
                                if (i == 3) throw std::runtime_error("stop");
                              }),
               std::runtime_error);
  EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace hone
