// The vectors' exp against the standard library's in double, over its whole range. The gradient of
// the head with a log-sum-exp of 0 and a coefficient of 1 is exp(logit).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/cpu/cpu_table.h"
#include "ops/head.h"

namespace hone::tests {
namespace {

// exp of every value; element 0 is the label's and is not.
std::vector<float> exp_of(std::vector<float> values) {
  const std::vector<std::int32_t> labels = {0};
  const float log_sum_exp = 0.0f;
  const float coefficient = 1.0f;
  ops::OpContext context;
  context.table = &kernels::cpu_table();
  const auto count = static_cast<std::int64_t>(values.size());
  ops::run(context, ops::HeadGradient{labels, ConstTensorView(&log_sum_exp, DType::f32, {1}),
                                      ConstTensorView(&coefficient, DType::f32, {1}),
                                      TensorView(values.data(), DType::f32, {1, count})});
  return values;
}

TEST(VectorExp, IsWithinOneAndAHalfUnits) {
  std::vector<float> values = {0.0f};
  for (double x = -87.25; x < 88.25; x += 0.00173) values.push_back(static_cast<float>(x));
  for (double x = 1e-8; x < 1.0; x *= 1.01) values.push_back(static_cast<float>(-x));
  const std::vector<float> results = exp_of(values);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double expected = std::exp(static_cast<double>(values[i]));
    const auto nearest = static_cast<float>(expected);
    const double unit = std::nextafter(nearest, INFINITY) - nearest;
    ASSERT_LE(std::fabs(results[i] - expected), 1.5 * unit) << "exp(" << values[i] << ")";
  }
}

TEST(VectorExp, KeepsItsEnds) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  // Enough of each to reach vectors and tails.
  std::vector<float> values = {0.0f};
  for (int i = 0; i < 40; ++i) values.insert(values.end(), {0.0f, -inf, -200.0f, inf, nan});
  const std::vector<float> results = exp_of(values);
  for (std::size_t i = 1; i < results.size(); i += 5) {
    EXPECT_EQ(results[i], 1.0f);
    EXPECT_EQ(results[i + 1], 0.0f);
    EXPECT_EQ(results[i + 2], 0.0f);
    EXPECT_EQ(results[i + 3], inf);
    EXPECT_TRUE(std::isnan(results[i + 4]));
  }
}

}  // namespace
}  // namespace hone::tests
