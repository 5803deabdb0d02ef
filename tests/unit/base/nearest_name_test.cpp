#include "base/nearest_name.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

const std::vector<std::string> kKnown = {"learning_rate", "lora_rank", "eval_strategy", "seed"};

TEST(NearestName, FindsSlipsOfTheHand) {
  EXPECT_EQ(nearest_name("learning_rte", kKnown), "learning_rate");
  EXPECT_EQ(nearest_name("lora_rnak", kKnown), "lora_rank");
  EXPECT_EQ(nearest_name("Learning-Rate", kKnown), "learning_rate");
}

TEST(NearestName, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("banana", kKnown), "");
  EXPECT_EQ(did_you_mean("banana", kKnown), "");
}

}  // namespace
}  // namespace hone
