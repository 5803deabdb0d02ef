#include "optimizers/learning_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hone::optimizers {
namespace {

constexpr double kBase = 1e-4;

TEST(LearningRate, WarmsUpFromZero) {
  for (const LearningRateKind kind : {LearningRateKind::constant_with_warmup,
                                      LearningRateKind::linear, LearningRateKind::cosine}) {
    const LearningRateSchedule schedule{kind, kBase, 3, 30};
    EXPECT_EQ(schedule.at(0), 0.0);
    EXPECT_NEAR(schedule.at(1), kBase / 3.0, 1e-18);  // 3.33e-05, as LLaMA-Factory logged it
    EXPECT_NEAR(schedule.at(3), kBase, 1e-18);
  }
}

TEST(LearningRate, ConstantHasNoWarmUp) {
  const LearningRateSchedule schedule{LearningRateKind::constant, kBase, 3, 30};
  EXPECT_EQ(schedule.at(0), kBase);
  EXPECT_EQ(schedule.at(29), kBase);
}

TEST(LearningRate, LinearAndCosineFallToZeroAtTheEnd) {
  const LearningRateSchedule linear{LearningRateKind::linear, kBase, 0, 10};
  EXPECT_NEAR(linear.at(5), kBase / 2.0, 1e-18);
  EXPECT_EQ(linear.at(10), 0.0);
  EXPECT_EQ(linear.at(11), 0.0);
  const LearningRateSchedule cosine{LearningRateKind::cosine, kBase, 2, 10};
  EXPECT_NEAR(cosine.at(6), kBase / 2.0, 1e-18);
  EXPECT_NEAR(cosine.at(4), kBase * 0.5 * (1.0 + std::sqrt(0.5)), 1e-18);
  EXPECT_NEAR(cosine.at(10), 0.0, 1e-18);
}

TEST(LearningRate, AllWarmUpNeverDividesByZero) {
  const LearningRateSchedule schedule{LearningRateKind::cosine, kBase, 4, 4};
  EXPECT_NEAR(schedule.at(3), 0.75 * kBase, 1e-18);
  EXPECT_TRUE(std::isfinite(schedule.at(4)));
}

}  // namespace
}  // namespace hone::optimizers
