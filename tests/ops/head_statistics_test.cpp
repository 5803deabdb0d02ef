// The running maximum of the head's statistics. Any offset near the maximum gives the same sum, so
// ordinary logits do not show a wrong one: here they are so large that a part in a thousand of them
// takes every exponential out of range, and maxima come late, on the edges of what a kernel may
// take at a time.
#include "kernels/cpu/simd_targets.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"
#include "ops/head.h"

namespace hone::tests {
namespace {

// The CPU's kernel takes 2048 logits at a time; around once and twice that.
constexpr std::int64_t kVocabularies[] = {1, 2, 37, 2047, 2048, 2049, 4095, 4097, 6150};

// Multiples of 1/8, exact in f32 and so are their differences up to 2^20.
using Row = std::vector<float>;

Row level(std::int64_t count, float value) {
  Row row;
  for (std::int64_t v = 0; v < count; ++v) {
    row.push_back(value - static_cast<float>(v * 7 % 24) / 8.0f);
  }
  return row;
}

// Each 100 logits a little larger than those before: what came before still counts.
Row climbing(std::int64_t count, float value) {
  Row row = level(count, value);
  for (std::int64_t v = 0; v < count; ++v) {
    row[static_cast<std::size_t>(v)] += static_cast<float>(v / 100) / 8.0f;
  }
  return row;
}

// One logit whose exponential, taken over any other, is beyond f32.
Row spiked(std::int64_t count, float value, std::int64_t at) {
  Row row = level(count, value);
  row[static_cast<std::size_t>(at)] = value + 256.0f;
  return row;
}

std::vector<Row> rows_of(std::int64_t count) {
  std::vector<Row> rows;
  for (const float value : {0.0f, 32.0f, -32.0f, 1048576.0f, -1048576.0f}) {
    rows.push_back(level(count, value));
    rows.push_back(climbing(count, value));
    for (const std::int64_t at : {0, 1, 36, 2046, 2047, 2048, 4094, 4095, 4096}) {
      if (at < count) rows.push_back(spiked(count, value, at));
    }
    rows.push_back(spiked(count, value, count - 1));
  }
  return rows;
}

// By the definition, over the true maximum.
double log_sum_exp(const Row& row) {
  const double largest = *std::max_element(row.begin(), row.end());
  double sum = 0.0;
  for (const float logit : row) sum += std::exp(logit - largest);
  return largest + std::log(sum);
}

void expect_statistics(const ops::OpTable& table, std::int64_t vocabulary) {
  SCOPED_TRACE("vocabulary " + std::to_string(vocabulary));
  const std::vector<Row> rows = rows_of(vocabulary);
  const auto count = static_cast<std::int64_t>(rows.size());
  std::vector<float> logits;
  std::vector<std::int32_t> labels;
  for (const Row& row : rows) {
    logits.insert(logits.end(), row.begin(), row.end());
    labels.push_back(static_cast<std::int32_t>(labels.size() * 31) %
                     static_cast<std::int32_t>(vocabulary));
  }
  std::vector<float> log_probability(rows.size(), NAN), sums(rows.size(), NAN);
  ops::OpContext context;
  context.table = &table;
  ops::run(context, ops::HeadStatistics{
                        .logits = ConstTensorView(logits.data(), DType::f32, {count, vocabulary}),
                        .labels = labels,
                        .log_probability = TensorView(log_probability.data(), DType::f32, {count}),
                        .log_sum_exp = TensorView(sums.data(), DType::f32, {count})});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double wanted = log_sum_exp(rows[i]);
    const double label = rows[i][static_cast<std::size_t>(labels[i])];
    // A relative error of the sum becomes absolute: that of exp and of sums over a few hundred
    // terms in each lane, far below one logit in the smallest sum. Then one rounding to f32.
    constexpr double kSumError = 2e-6;
    ASSERT_NEAR(sums[i], wanted, kSumError + FLT_EPSILON * std::fabs(wanted)) << "row " << i;
    ASSERT_NEAR(log_probability[i], label - wanted,
                kSumError + FLT_EPSILON * std::fabs(label - wanted))
        << "row " << i;
  }
}

TEST(HeadStatistics, OfTheReferenceForLateAndLargeMaxima) {
  for (const std::int64_t vocabulary : kVocabularies) {
    expect_statistics(kernels::reference_table(), vocabulary);
  }
}

TEST(HeadStatistics, OfTheCpuForLateAndLargeMaxima) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().DeInit();
    for (const std::int64_t vocabulary : kVocabularies) {
      expect_statistics(kernels::cpu_table(), vocabulary);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

}  // namespace
}  // namespace hone::tests
