#include "data/batches/dealer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

namespace hone::data {
namespace {

using Lengths = std::vector<std::int64_t>;

std::int64_t load(const Lengths& lengths, const MicroStep& items) {
  std::int64_t tokens = 0;
  for (const auto item : items) tokens += lengths[static_cast<std::size_t>(item)];
  return tokens;
}

// What the header promises for every input.
void expect_promises(const Lengths& lengths, const Deal& deal, int ranks, std::int64_t capacity) {
  ASSERT_EQ(deal.ranks.size(), static_cast<std::size_t>(ranks));
  std::vector<int> dealt(lengths.size(), 0);
  std::vector<bool> used(static_cast<std::size_t>(deal.micro_steps()), false);
  for (const auto& rank : deal.ranks) {
    ASSERT_EQ(rank.size(), used.size());
    for (std::size_t micro_step = 0; micro_step < rank.size(); ++micro_step) {
      const MicroStep& items = rank[micro_step];
      EXPECT_TRUE(std::is_sorted(items.begin(), items.end()));
      EXPECT_TRUE(items.size() <= 1 || load(lengths, items) <= capacity);
      if (!items.empty()) used[micro_step] = true;
      for (const auto item : items) ++dealt[static_cast<std::size_t>(item)];
    }
  }
  EXPECT_TRUE(std::all_of(dealt.begin(), dealt.end(), [](int times) { return times == 1; }));
  EXPECT_TRUE(std::all_of(used.begin(), used.end(), [](bool any) { return any; }));
}

TEST(Dealer, OneRankWithRoomKeepsOrder) {
  const Deal deal = cut(Lengths{5, 9, 1, 7}, 1, 22);
  ASSERT_EQ(deal.micro_steps(), 1);
  EXPECT_EQ(deal.ranks[0][0], (MicroStep{0, 1, 2, 3}));
}

TEST(Dealer, NoItemsMakeNoMicroSteps) {
  const Deal deal = cut(Lengths{}, 3, 100);
  EXPECT_EQ(deal.ranks.size(), 3u);
  EXPECT_EQ(deal.micro_steps(), 0);
}

TEST(Dealer, BalancesInsteadOfFilling) {
  // First fit would make 10 + 4; the two micro-steps are to hold 7 each.
  const Deal deal = cut(Lengths{5, 5, 2, 2}, 1, 10);
  ASSERT_EQ(deal.micro_steps(), 2);
  EXPECT_EQ(deal.ranks[0][0], (MicroStep{0, 2}));
  EXPECT_EQ(deal.ranks[0][1], (MicroStep{1, 3}));
}

TEST(Dealer, TakesFirstFitWhereBalancingWouldNeedMore) {
  // Exactly full bins: emptiest-first puts the 4s apart (6+4, 5+4) and has no room for both 3s.
  const Lengths lengths = {6, 5, 4, 3, 2};
  const Deal deal = cut(lengths, 1, 10);
  ASSERT_EQ(deal.micro_steps(), 2);
  EXPECT_EQ(load(lengths, deal.ranks[0][0]), 10);
  EXPECT_EQ(load(lengths, deal.ranks[0][1]), 10);
}

TEST(Dealer, LongRecordIsAlone) {
  const Deal deal = cut(Lengths{3, 100, 4}, 1, 10);
  ASSERT_EQ(deal.micro_steps(), 2);
  EXPECT_EQ(deal.ranks[0][0], (MicroStep{1}));
  EXPECT_EQ(deal.ranks[0][1], (MicroStep{0, 2}));
}

TEST(Dealer, FewerItemsThanRanksLeaveRanksEmpty) {
  const Deal deal = cut(Lengths{8}, 3, 10);
  ASSERT_EQ(deal.micro_steps(), 1);
  EXPECT_EQ(deal.ranks[0][0], (MicroStep{0}));
  EXPECT_TRUE(deal.ranks[1][0].empty());
  EXPECT_TRUE(deal.ranks[2][0].empty());
}

TEST(Dealer, EqualRecordsOnEveryRank) {
  const Deal deal = cut(Lengths(16, 10), 4, 20);
  ASSERT_EQ(deal.micro_steps(), 2);
  for (const auto& rank : deal.ranks) {
    for (const MicroStep& items : rank) EXPECT_EQ(items.size(), 2u);
  }
}

TEST(Dealer, ZeroLengthsAndHugeLimits) {
  const Lengths lengths = {0, 0, 3, 0};
  expect_promises(lengths, cut(lengths, 2, 1), 2, 1);
  const Deal deal = cut(lengths, 1, std::numeric_limits<std::int64_t>::max());
  ASSERT_EQ(deal.micro_steps(), 1);
  EXPECT_EQ(deal.ranks[0][0].size(), 4u);
}

TEST(Dealer, PromisesHoldForRandomSteps) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    Lengths lengths(random() % 40);
    const std::int64_t longest = 1 + random() % 60;
    for (auto& length : lengths) length = random() % (longest + 1);
    const int ranks = 1 + static_cast<int>(random() % 5);
    const std::int64_t capacity = 1 + random() % 70;
    const Deal deal = cut(lengths, ranks, capacity);
    ASSERT_NO_FATAL_FAILURE(expect_promises(lengths, deal, ranks, capacity));
    const Deal again = cut(lengths, ranks, capacity);
    EXPECT_EQ(deal.ranks, again.ranks);
  }
}

TEST(Dealer, LoadsDifferByLessThanTheLongestRecord) {
  std::mt19937 random(11);
  Lengths lengths(256);
  for (auto& length : lengths) length = 20 + random() % 200;
  const Deal deal = cut(lengths, 4, 4096);
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const auto& rank : deal.ranks) {
    for (const MicroStep& items : rank) {
      least = std::min(least, load(lengths, items));
      most = std::max(most, load(lengths, items));
    }
  }
  EXPECT_LT(most - least, 220);
  const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  EXPECT_EQ(deal.micro_steps(), (tokens + 4 * 4096 - 1) / (4 * 4096));
}

}  // namespace
}  // namespace hone::data
