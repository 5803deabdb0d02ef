#include "planner/economy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hone::planner {
namespace {

TEST(Economies, BeginWithWhatWasWantedAndRiseInCost) {
  const std::vector<Economy> choices = economies(1536, 512, 30);
  EXPECT_EQ(choices.front().micro_step_tokens, 1536);
  EXPECT_EQ(choices.front().recomputed_blocks, 0);
  EXPECT_TRUE(std::is_sorted(choices.begin(), choices.end(),
                             [](const Economy& a, const Economy& b) { return a.cost < b.cost; }));
}

TEST(Economies, HoldTheMostFrugalChoice) {
  const std::vector<Economy> choices = economies(1536, 512, 7);
  const auto frugal = [](const Economy& choice) {
    return choice.micro_step_tokens == 512 && choice.recomputed_blocks == 7;
  };
  EXPECT_TRUE(std::any_of(choices.begin(), choices.end(), frugal));
}

TEST(Economies, CutMicroStepsBeforeTheyRecompute) {
  const std::vector<Economy> choices = economies(1536, 512, 30);
  const auto place = [&](std::int64_t tokens, std::int64_t recomputed) {
    return std::find_if(choices.begin(), choices.end(), [&](const Economy& choice) {
      return choice.micro_step_tokens == tokens && choice.recomputed_blocks == recomputed;
    });
  };
  EXPECT_LT(place(1152, 0), place(1536, 30));
}

TEST(Economies, NeverCutBelowTheLongestRecord) {
  for (const Economy& choice : economies(1000, 1000, 3)) EXPECT_EQ(choice.micro_step_tokens, 1000);
  for (const Economy& choice : economies(1000, 600, 1)) EXPECT_GE(choice.micro_step_tokens, 600);
}

}  // namespace
}  // namespace hone::planner
