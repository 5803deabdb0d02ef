#include "base/random.h"

#include <gtest/gtest.h>

namespace hone {
namespace {

// Known answers published with the Random123 library (kat_vectors, philox4x32 10).
TEST(Philox, MatchesTheKnownAnswers) {
  const auto zeros = philox4x32({0, 0, 0, 0}, {0, 0});
  EXPECT_EQ(zeros, (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const auto ones = philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u});
  EXPECT_EQ(ones, (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(CounterRandom, UniformLiesInTheUnitInterval) {
  const CounterRandom random(42, RandomStream::sampling);
  double sum = 0.0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const float value = random.uniform(i, 0);
    ASSERT_GE(value, 0.0f);
    ASSERT_LT(value, 1.0f);
    sum += value;
  }
  // The mean of 10,000 uniform numbers has a standard deviation of 0.0029; five of them.
  EXPECT_NEAR(sum / 10000.0, 0.5, 0.0145);
}

}  // namespace
}  // namespace hone
