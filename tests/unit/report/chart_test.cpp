#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "report/axis.h"
#include "report/chart_lines.h"

namespace hone::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Axis, GivesAirToValues) {
  const Range range = with_air(1, 3, 0.1);
  EXPECT_DOUBLE_EQ(range.low, 0.8);
  EXPECT_DOUBLE_EQ(range.high, 3.2);
}

TEST(Axis, EqualValuesStillSpanSomething) {
  for (const double value : {0.0, 0.693147, -2.5, 1e-12, 1e30}) {
    const Range range = with_air(value, value, 0.06);
    EXPECT_LT(range.low, value);
    EXPECT_GT(range.high, value);
    EXPECT_NEAR((range.low + range.high) / 2, value, std::abs(value) * 1e-9);
  }
  const Range rounding = with_air(0.693147, 0.693147 * (1 + 1e-12), 0.06);
  EXPECT_GT(rounding.high - rounding.low, 0.05);
}

TEST(Axis, StepsAreOneTwoOrFive) {
  EXPECT_EQ(nice_ticks({0, 10}, 11, true).step, 1);
  EXPECT_EQ(nice_ticks({0, 10}, 9, false).step, 2);
  EXPECT_EQ(nice_ticks({0.31, 2.9}, 9, false).step, 0.5);
  EXPECT_EQ(nice_ticks({0, 411}, 11, true).step, 50);
  EXPECT_NEAR(nice_ticks({0.6931, 0.6935}, 9, false).step, 5e-5, 1e-15);
}

TEST(Axis, StepsOfCountsAreWhole) {
  const Ticks ticks = nice_ticks({0, 2}, 11, true);
  EXPECT_EQ(ticks.values, (std::vector<double>{0, 1, 2}));
}

TEST(Axis, HasAtMostTheTicksAskedForAndAtLeastOne) {
  for (int magnitude = -30; magnitude <= 30; ++magnitude) {
    for (const double mantissa : {1.0, 1.7, 2.0, 3.3, 5.0, 7.77, 9.99}) {
      const double span = mantissa * std::pow(10.0, magnitude);
      for (const double low : {0.0, span / 3, -span / 2, span * 1000}) {
        const Ticks ticks = nice_ticks({low, low + span}, 9, false);
        EXPECT_LE(ticks.values.size(), 9u) << low << ' ' << span;
        EXPECT_GE(ticks.values.size(), 3u) << low << ' ' << span;
        EXPECT_GE(ticks.values.front(), low - span * 1e-9);
        EXPECT_LE(ticks.values.back(), low + span * (1 + 1e-9));
      }
    }
  }
}

TEST(Axis, LabelsHaveTheDecimalsOfTheStep) {
  EXPECT_EQ(tick_labels({0.5, {0.5, 1, 1.5}}), (std::vector<std::string>{"0.5", "1.0", "1.5"}));
  EXPECT_EQ(tick_labels({0.05, {0.65, 0.7}}), (std::vector<std::string>{"0.65", "0.70"}));
  EXPECT_EQ(tick_labels({0.2, {-0.2, -0.0, 0.2}}),
            (std::vector<std::string>{"-0.2", "0.0", "0.2"}));
  EXPECT_EQ(tick_labels({20, {0, 20, 40}}), (std::vector<std::string>{"0", "20", "40"}));
}

TEST(Axis, LongNumbersHaveExponents) {
  EXPECT_EQ(tick_labels({5e5, {5e5, 1e6, 1.5e6}}),
            (std::vector<std::string>{"5e+05", "1e+06", "1.5e+06"}));
  EXPECT_EQ(tick_labels({2e-6, {0, 2e-6, 4e-6}}),
            (std::vector<std::string>{"0", "2e-06", "4e-06"}));
}

TEST(Axis, LabelsTellTicksApart) {
  for (const double low : {0.0, 0.69314, 1e7, -3e-9, 123456.0}) {
    for (const double span : {1e-3, 1.0, 40.0, 1e9}) {
      if (span < std::abs(low) * 1e-7) continue;
      std::vector<std::string> labels = tick_labels(nice_ticks({low, low + span}, 9, false));
      const std::size_t count = labels.size();
      std::sort(labels.begin(), labels.end());
      labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
      EXPECT_EQ(labels.size(), count) << low << ' ' << span;
    }
  }
}

constexpr ChartArea kArea = {0, 100, 0, 50, {0, 10}, {0, 5}};

TEST(ChartLines, MapsValuesToPixels) {
  EXPECT_DOUBLE_EQ(kArea.pixel_x(5), 50);
  EXPECT_DOUBLE_EQ(kArea.pixel_y(0), 50);
  EXPECT_DOUBLE_EQ(kArea.pixel_y(5), 0);
}

TEST(ChartLines, AreCutAtGaps) {
  const auto pieces = line_pieces(
      {{0, 1.0}, {1, std::nullopt}, {2, 2.0}, {3, 2.0}, {4, kNan}, {5, 1e300}, {6, 0.0}}, kArea);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].size(), 1u);
  EXPECT_EQ(pieces[1].size(), 2u);
  EXPECT_EQ(pieces[2].size(), 1u);
  EXPECT_TRUE(line_pieces({}, kArea).empty());
  EXPECT_TRUE(line_pieces({{0, std::nullopt}}, kArea).empty());
}

TEST(ChartLines, ManyPointsKeepTheirExtremes) {
  std::vector<ChartPoint> points;
  for (int i = 0; i < 100000; ++i) points.push_back({i * 1e-4, 2.0 + 1e-3 * (i % 7)});
  points[55555].y = 4.5;
  points[33333].y = 0.5;
  const auto pieces = line_pieces(points, kArea);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_LE(pieces[0].size(), 400u);
  const auto [highest, lowest] = std::minmax_element(
      pieces[0].begin(), pieces[0].end(), [](const Pixel& a, const Pixel& b) { return a.y < b.y; });
  EXPECT_DOUBLE_EQ(highest->y, kArea.pixel_y(4.5));
  EXPECT_DOUBLE_EQ(lowest->y, kArea.pixel_y(0.5));
  EXPECT_TRUE(std::is_sorted(pieces[0].begin(), pieces[0].end(),
                             [](const Pixel& a, const Pixel& b) { return a.x < b.x; }));
}

TEST(ChartLines, RangesHoldAllDrawablePoints) {
  const auto [x, y] =
      data_ranges({{"a", {{1, 2.0}, {9, kNan}}}, {"b", {{3, 1.0}, {4, std::nullopt}}}});
  EXPECT_NEAR(x.low, 0.95, 1e-12);
  EXPECT_NEAR(x.high, 3.05, 1e-12);
  EXPECT_NEAR(y.low, 0.94, 1e-12);
  EXPECT_NEAR(y.high, 2.06, 1e-12);
  EXPECT_THROW(data_ranges({{"a", {{1, std::nullopt}}}}), InternalError);
}

TEST(ChartLines, OneStepStandsBetweenItsNeighbours) {
  const auto [x, y] = data_ranges({{"a", {{7, 2.0}}}});
  EXPECT_EQ(x.low, 6);
  EXPECT_EQ(x.high, 8);
  EXPECT_LT(y.low, 2);
  EXPECT_GT(y.high, 2);
}

TEST(ChartLines, LegendGoesWhereNothingIs) {
  const std::vector<ChartSeries> falling = {{"a", {{0, 5.0}, {10, 0.0}}}};
  const std::vector<ChartSeries> rising = {{"a", {{0, 0.0}, {10, 5.0}}}};
  Corner corner = emptiest_corner(falling, kArea, 20, 10);
  EXPECT_TRUE(corner.right && !corner.bottom);
  corner = emptiest_corner(rising, kArea, 20, 10);
  EXPECT_TRUE(!corner.right && !corner.bottom);
}

}  // namespace
}  // namespace hone::report
