#include "data/encoding/for_each_index.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace hone::data {
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

}  // namespace
}  // namespace hone::data
