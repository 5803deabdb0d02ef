#include "data/order/dealt_step.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "formats/json.h"

namespace hone::data {
namespace {

ScheduleOptions options(std::int64_t records, std::int64_t ranks) {
  ScheduleOptions made;
  made.records = records;
  made.batch_size = 2;
  made.accumulation = 2;
  made.ranks = ranks;
  made.epochs = 2.0;
  return made;
}

std::vector<RecordSize> sizes(std::int64_t records) {
  std::vector<RecordSize> made;
  for (std::int64_t i = 0; i < records; ++i) made.push_back({5 + 7 * i % 23, i % 4, i % 3});
  return made;
}

TEST(DealtStep, CountsTheWholeStepOnEveryRank) {
  const auto lengths = sizes(8);
  Schedule schedule(options(8, 2));
  const StepData step = schedule.step(0);
  ASSERT_EQ(step.records.size(), 8u);
  std::vector<std::int64_t> seen;
  for (int rank = 0; rank < 2; ++rank) {
    const DealtStep dealt = deal_step(step, lengths, rank, 2, 30);
    EXPECT_EQ(dealt.counted_labels, 12);
    EXPECT_EQ(dealt.predicted_labels, 7);
    EXPECT_EQ(dealt.micro_steps.size(), deal_step(step, lengths, 0, 2, 30).micro_steps.size());
    for (const auto& micro_step : dealt.micro_steps) {
      for (const StepRecord& record : micro_step) seen.push_back(record.record);
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// Sizes of LLaMA-Factory's 999 demo records under SmolLM2's tokenizer, template chatml and
// cutoff_len 512, and the real tokens of the first steps of its run with batch 4 x 2 and seed 42.
TEST(DealtStep, TokensOfTheFirstStepsOfARealRun) {
  const formats::Value recorded = formats::read_json(HONE_TEST_DATA "/alpaca_en_demo_sizes.json");
  std::vector<RecordSize> real;
  const formats::Array& labels = recorded.find("labels")->array();
  for (const formats::Value& tokens : recorded.find("tokens")->array()) {
    const std::int64_t counted = labels[real.size()].integer();
    real.push_back({tokens.integer(), counted, counted});
  }
  ScheduleOptions run;
  run.records = static_cast<std::int64_t>(real.size());
  run.batch_size = 4;
  run.accumulation = 2;
  Schedule schedule(run);
  std::vector<std::int64_t> tokens;
  for (std::int64_t k = 0; k < 6; ++k) {
    const DealtStep dealt = deal_step(schedule.step(k), real, 0, 1, 1536);
    tokens.push_back(dealt.tokens);
    EXPECT_EQ(dealt.micro_steps.size(), dealt.tokens > 1536 ? 2u : 1u);
  }
  EXPECT_EQ(tokens, (std::vector<std::int64_t>{1480, 1332, 1074, 727, 1942, 1012}));
}

TEST(DealtStep, BoundsAreReachedAndNeverPassed) {
  const auto lengths = sizes(50);
  const ScheduleOptions run = options(50, 2);
  const MicroStepBounds bounds = bound_micro_steps(Schedule(run), lengths, 30);
  EXPECT_TRUE(bounds.exact);
  BatchCapacity largest;
  std::int64_t most = 0;
  Schedule schedule(run);
  for (std::int64_t k = 0; k < schedule.total_steps(); ++k) {
    for (int rank = 0; rank < 2; ++rank) {
      const DealtStep dealt = deal_step(schedule.step(k), lengths, rank, 2, 30);
      most = std::max(most, static_cast<std::int64_t>(dealt.micro_steps.size()));
      for (const auto& micro_step : dealt.micro_steps) {
        BatchCapacity held;
        for (const StepRecord& record : micro_step) {
          const RecordSize& size = lengths[static_cast<std::size_t>(record.record)];
          held.tokens += size.tokens;
          held.labels += size.predicted_labels;
          ++held.sequences;
        }
        largest.tokens = std::max(largest.tokens, held.tokens);
        largest.labels = std::max(largest.labels, held.labels);
        largest.sequences = std::max(largest.sequences, held.sequences);
      }
    }
  }
  EXPECT_EQ(bounds.capacity.tokens, largest.tokens);
  EXPECT_EQ(bounds.capacity.labels, largest.labels);
  EXPECT_EQ(bounds.capacity.sequences, largest.sequences);
  EXPECT_EQ(bounds.micro_steps, most);
}

TEST(DealtStep, RunsTooLongToWalkGetBoundsForAnyOrder) {
  const auto lengths = sizes(50);
  const MicroStepBounds exact = bound_micro_steps(Schedule(options(50, 2)), lengths, 30);
  const MicroStepBounds bounds = bound_micro_steps(Schedule(options(50, 2)), lengths, 30, 99);
  EXPECT_FALSE(bounds.exact);
  EXPECT_EQ(bounds.capacity.tokens, 30);
  EXPECT_EQ(bounds.capacity.labels, 16);  // the eight largest of 0, 1, 2, 0, 1, 2, ...
  EXPECT_EQ(bounds.capacity.sequences, 8);
  EXPECT_GE(bounds.capacity.tokens, exact.capacity.tokens);
  EXPECT_GE(bounds.micro_steps, exact.micro_steps);
  const MicroStepBounds one_long = bound_micro_steps(Schedule(options(50, 2)), lengths, 10, 99);
  EXPECT_EQ(one_long.capacity.tokens, 27);  // the longest record is alone in its micro-step
}

}  // namespace
}  // namespace hone::data
