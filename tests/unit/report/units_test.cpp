#include "report/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace hone::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Units, BytesHaveThreeDigits) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(bytes_text(1782411264), "1.66 GiB");
  EXPECT_EQ(bytes_text(24536678), "23.4 MiB");
  EXPECT_EQ(bytes_text(std::uint64_t{138} << 30), "138 GiB");
}

TEST(Units, BytesNeverShow1024OfAUnit) {
  EXPECT_EQ(bytes_text((std::uint64_t{1} << 20) - 1), "1.00 MiB");
  EXPECT_EQ(bytes_text(std::numeric_limits<std::uint64_t>::max()), "16.0 EiB");
}

TEST(Units, CountsAreGrouped) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(134515008), "134,515,008");
  EXPECT_EQ(count_text(-1024), "-1,024");
  EXPECT_EQ(count_text(-999), "-999");
  EXPECT_EQ(count_text(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Units, ClocksReadAsPythonTimedeltas) {
  EXPECT_EQ(clock_text(0), "0:00:00");
  EXPECT_EQ(clock_text(22.9), "0:00:22");
  EXPECT_EQ(clock_text(83), "0:01:23");
  EXPECT_EQ(clock_text(86399.9), "23:59:59");
  EXPECT_EQ(clock_text(86400 + 7384), "1 day, 2:03:04");
  EXPECT_EQ(clock_text(12 * 86400), "12 days, 0:00:00");
}

TEST(Units, ClocksOfNoTime) {
  EXPECT_EQ(clock_text(-5), "0:00:00");
  EXPECT_EQ(clock_text(kNan), "?");
  EXPECT_EQ(clock_text(kInfinity), "?");
  EXPECT_EQ(clock_text(1e300), "?");
}

TEST(Units, ShortTimesPickTheirUnit) {
  EXPECT_EQ(short_time_text(85.2e-6), "85.2 us");
  EXPECT_EQ(short_time_text(0.00123), "1.23 ms");
  EXPECT_EQ(short_time_text(0.99999), "1.00 s");
  EXPECT_EQ(short_time_text(182.4), "182 s");
  EXPECT_EQ(short_time_text(kNan), "?");
}

TEST(Units, NumbersThatAreNoneAreWords) {
  EXPECT_EQ(number_text(1.23449), "1.234");
  EXPECT_EQ(number_text(5e-5), "5e-05");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(kNan), "not finite");
  EXPECT_EQ(number_text(-kInfinity), "not finite");
}

TEST(Units, RatesAndShares) {
  EXPECT_EQ(rate_text(0.4512), "0.45");
  EXPECT_EQ(rate_text(8.31), "8.31");
  EXPECT_EQ(rate_text(84.2), "84.2");
  EXPECT_EQ(rate_text(301.4), "301");
  EXPECT_EQ(rate_text(999.6), "1,000");
  EXPECT_EQ(rate_text(12345.4), "12,345");
  EXPECT_EQ(rate_text(kInfinity), "?");
  EXPECT_EQ(share_text(0.4), "40 %");
  EXPECT_EQ(share_text(0.0123), "1.2 %");
  EXPECT_EQ(share_text(1), "100 %");
  EXPECT_EQ(share_text(kNan), "?");
}

}  // namespace
}  // namespace hone::report
