#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hone {
namespace {

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(to_bfloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(to_bfloat16(bits_to_float(0x3f808000u)).bits, 0x3f80);  // a tie: even stays
  EXPECT_EQ(to_bfloat16(bits_to_float(0x3f818000u)).bits, 0x3f82);  // a tie: odd goes up
  EXPECT_EQ(to_bfloat16(bits_to_float(0x3f808001u)).bits, 0x3f81);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_TRUE(std::isnan(to_float(to_bfloat16(std::nanf("")))));
}

TEST(Float16, EveryValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const Float16 value{static_cast<std::uint16_t>(bits)};
    const float wide = to_float(value);
    if (std::isnan(wide)) continue;
    EXPECT_EQ(to_float16(wide).bits, value.bits);
  }
}

TEST(Float16, RoundsToNearestEvenAndOverflows) {
  EXPECT_EQ(to_float16(1.0f).bits, 0x3c00);
  EXPECT_EQ(to_float16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(to_float16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_float16(0x1p-25f).bits, 0x0000);  // a tie with zero: even stays
  EXPECT_EQ(to_float16(std::nextafter(0x1p-25f, 1.0f)).bits, 0x0001);
  EXPECT_EQ(to_float16(-2.0f).bits, 0xc000);
}

}  // namespace
}  // namespace hone
