// Values recorded from numpy 2.4.6; interleaving by drawn sets follows the package `datasets`.
#include "data/order/mixing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/order/buffer_shuffle.h"

namespace hone::data {
namespace {

using Rows = std::vector<std::int64_t>;

std::string shown(const std::vector<RowRef>& rows) {
  std::string text;
  for (const RowRef& row : rows) {
    text += static_cast<char>('a' + row.set) + std::to_string(row.row) + " ";
  }
  return text;
}

const std::vector<Rows> kThree = {{0, 1, 2}, {0, 1, 2, 3}, {0, 1}};
const std::vector<double> kShares = {0.2, 0.3, 0.5};

std::string mixed(MixStrategy strategy, const std::vector<double>& shares = {}) {
  return shown(mix_rows(kThree, strategy, shares, 42));
}

TEST(Mixing, OneAfterAnother) {
  EXPECT_EQ(mixed(MixStrategy::concat), "a0 a1 a2 b0 b1 b2 b3 c0 c1 ");
  EXPECT_EQ(shown(mix_rows({{4, 2}}, MixStrategy::interleave_under, {}, 1)), "a4 a2 ");
}

TEST(Mixing, ByTurns) {
  EXPECT_EQ(mixed(MixStrategy::interleave_under), "a0 b0 c0 a1 b1 c1 ");
  EXPECT_EQ(mixed(MixStrategy::interleave_over), "a0 b0 c0 a1 b1 c1 a2 b2 c0 a0 b3 c1 ");
  EXPECT_EQ(mixed(MixStrategy::interleave_once), "a0 b0 c0 a1 b1 c1 a2 b2 b3 ");
}

TEST(Mixing, ByDrawnTurns) {
  EXPECT_EQ(mixed(MixStrategy::interleave_under, kShares), "c0 b0 c1 ");
  EXPECT_EQ(mixed(MixStrategy::interleave_over, kShares),
            "c0 b0 c1 c0 a0 c1 c0 c1 a1 b1 b2 c0 c1 c0 b3 b0 c1 a2 ");
  EXPECT_EQ(mixed(MixStrategy::interleave_once, kShares), "c0 b0 c1 a0 a1 b1 b2 b3 a2 ");
}

// Recorded from datasets 4.0.0, whose iterable sets end where the last row of one is taken.
TEST(Mixing, OfStreams) {
  const auto streamed = [](const std::vector<Rows>& taken, MixStrategy strategy,
                           const std::vector<double>& shares = {}) {
    return shown(mix_rows(taken, strategy, shares, 42, true));
  };
  const std::vector<Rows> long_first = {{0, 1, 2}, {0, 1}};
  const std::vector<Rows> short_first = {{0, 1}, {0, 1, 2}};
  const std::vector<Rows> three = {{0, 1}, {0, 1, 2, 3}, {0, 1, 2}};
  constexpr MixStrategy kUnder = MixStrategy::interleave_under;
  constexpr MixStrategy kOver = MixStrategy::interleave_over;
  EXPECT_EQ(streamed(long_first, kUnder), "a0 b0 a1 b1 ");
  EXPECT_EQ(streamed(short_first, kUnder), "a0 b0 a1 ");
  EXPECT_EQ(streamed(three, kUnder), "a0 b0 c0 a1 ");
  EXPECT_EQ(streamed(long_first, kOver), "a0 b0 a1 b1 a2 ");
  EXPECT_EQ(streamed(short_first, kOver), "a0 b0 a1 b1 a0 b2 ");
  EXPECT_EQ(streamed(three, kOver), "a0 b0 c0 a1 b1 c1 a0 b2 c2 a1 b3 ");
  EXPECT_EQ(streamed({{0, 1, 2, 3, 4, 5}, {0, 1, 2}}, kOver, {0.7, 0.3}),
            "b0 a0 b1 a1 a2 b2 b0 b1 a3 a4 a5 ");
  EXPECT_EQ(streamed(three, MixStrategy::interleave_once), "a0 b0 c0 a1 b1 c1 b2 c2 b3 ");
}

TEST(Mixing, SamplesAreNumpysGlobalPermutationAndChoice) {
  NumpyLegacyGenerator random(42);
  EXPECT_EQ(random.permutation(10), (Rows{8, 1, 5, 0, 7, 2, 9, 4, 3, 6}));
  Rows drawn;
  for (int i = 0; i < 5; ++i) drawn.push_back(random.choice(10));
  EXPECT_EQ(drawn, (Rows{2, 6, 7, 4, 3}));
  EXPECT_EQ(draw_rows(random, 3, 10), (Rows{0, 1, 2, 0, 1, 1, 1, 1, 0, 0}));
  NumpyLegacyGenerator again(42);
  EXPECT_EQ(draw_rows(again, 10, 4), (Rows{8, 1, 5, 0}));
}

TEST(Mixing, BoundedDraws) {
  NumpyGenerator random(42);
  std::vector<std::uint32_t> small;
  for (int i = 0; i < 12; ++i) small.push_back(random.below(7));
  for (int i = 0; i < 5; ++i) small.push_back(random.below(1000));
  EXPECT_EQ(small, (std::vector<std::uint32_t>{0, 5, 4, 3, 3, 6, 0, 4, 1, 0, 3, 6, 735, 761, 717,
                                               786, 513}));
  EXPECT_EQ(NumpyGenerator(42).uniform(), 0.7739560485559633);
}

// Recorded from numpy's generator in the package's loop.
TEST(BufferShuffle, IsThatOfDatasets) {
  EXPECT_EQ(buffer_shuffle(12, 4, 42), (Rows{0, 3, 2, 1, 7, 5, 4, 6, 8, 10, 9, 11}));
  EXPECT_EQ(buffer_shuffle(3, 8, 42), (Rows{2, 1, 0}));
  EXPECT_EQ(buffer_shuffle(5, 1, 7), (Rows{0, 1, 2, 3, 4}));
  EXPECT_EQ(buffer_shuffle(0, 1, 7), (Rows{}));
  std::uint64_t digest = 1469598103934665603u;
  for (const std::int64_t row : buffer_shuffle(5000, 100, 42)) {
    digest = (digest ^ static_cast<std::uint64_t>(row)) * 1099511628211u;
  }
  EXPECT_EQ(digest, 11484211130734694703u);
  // What comes out before the end does not depend on where the end is.
  const Rows longer = buffer_shuffle(5000, 100, 42);
  const Rows shorter = buffer_shuffle(400, 100, 42);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.begin() + 300, longer.begin()));
}

}  // namespace
}  // namespace hone::data
