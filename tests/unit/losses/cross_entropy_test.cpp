#include "losses/cross_entropy.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace hone::losses {
namespace {

TEST(CrossEntropy, SumsWeightedSurpriseAndScalesTheCoefficientsOnly) {
  const std::vector<float> log_probability = {-2.0f, -0.5f, -8.0f};
  const std::vector<float> weights = {1.0f, 3.0f, 0.0f};
  std::vector<float> coefficients(3, 9.0f);
  EXPECT_EQ(CrossEntropy().rows(log_probability, weights, 0.25, coefficients), 3.5);
  EXPECT_EQ(coefficients, (std::vector<float>{0.25f, 0.75f, 0.0f}));
}

// 2^24 + 1 is no f32: a sum in f32 would lose every one of the small terms.
TEST(CrossEntropy, SumsInDouble) {
  std::vector<float> log_probability(5, -1.0f);
  log_probability[0] = -16777216.0f;
  const std::vector<float> weights(5, 1.0f);
  std::vector<float> coefficients(5);
  EXPECT_EQ(CrossEntropy().rows(log_probability, weights, 1.0, coefficients), 16777220.0);
}

TEST(CrossEntropy, NoRowsCostNothing) {
  EXPECT_EQ(CrossEntropy().rows({}, {}, 1.0, {}), 0.0);
}

TEST(CrossEntropy, RefusesOperandsOfDifferentLengths) {
  const std::vector<float> two(2, 1.0f);
  const std::vector<float> three(3, 1.0f);
  std::vector<float> out(2);
  EXPECT_THROW(CrossEntropy().rows(three, two, 1.0, out), InternalError);
  EXPECT_THROW(CrossEntropy().rows(two, three, 1.0, out), InternalError);
  EXPECT_THROW(CrossEntropy().rows(three, three, 1.0, out), InternalError);
}

}  // namespace
}  // namespace hone::losses
