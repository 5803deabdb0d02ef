#include "data/order/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hone::data {
namespace {

std::vector<std::int64_t> ids(const StepData& step) {
  std::vector<std::int64_t> records;
  for (const StepRecord& record : step.records) records.push_back(record.record);
  return records;
}

ScheduleOptions options(std::int64_t records, std::int64_t batch, std::int64_t accumulation,
                        double epochs) {
  ScheduleOptions made;
  made.records = records;
  made.batch_size = batch;
  made.accumulation = accumulation;
  made.epochs = epochs;
  return made;
}

// 999 records, batch 4 x 2, seed 42: recorded from torch's randperm, which LLaMA-Factory uses.
TEST(Schedule, FirstStepsOf999Records) {
  using Ids = std::vector<std::int64_t>;
  Schedule schedule(options(999, 4, 2, 3.0));
  EXPECT_EQ(schedule.total_steps(), 375);
  EXPECT_EQ(ids(schedule.step(0)), (Ids{789, 32, 597, 457, 470, 106, 34, 923}));
  EXPECT_EQ(ids(schedule.step(1)), (Ids{578, 902, 261, 273, 998, 477, 995, 739}));
  EXPECT_EQ(ids(schedule.step(2)), (Ids{437, 702, 516, 645, 195, 89, 449, 270}));
  EXPECT_EQ(ids(schedule.step(3)), (Ids{623, 346, 559, 144, 710, 698, 798, 399}));
  EXPECT_EQ(ids(schedule.step(4)), (Ids{506, 124, 227, 951, 128, 83, 329, 129}));
  EXPECT_EQ(ids(schedule.step(5)), (Ids{943, 507, 382, 250, 171, 890, 547, 637}));
  EXPECT_EQ(ids(schedule.step(125)), (Ids{238, 567, 273, 700, 789, 995, 822, 858}));  // seed 43
}

TEST(Schedule, LastWindowOfAnEpochIsStepped) {
  Schedule schedule(options(10, 3, 3, 2.0));  // 4 logical batches: 3 + 1
  EXPECT_EQ(schedule.steps_per_epoch(), 2);
  EXPECT_EQ(schedule.total_steps(), 4);
  const StepData first = schedule.step(0);
  EXPECT_EQ(first.records.size(), 9u);
  EXPECT_EQ(first.logical_batches, 3);
  EXPECT_DOUBLE_EQ(first.epoch_after, 0.75);
  EXPECT_FALSE(first.ends_epoch);
  const StepData last = schedule.step(3);
  EXPECT_EQ(last.epoch, 1);
  ASSERT_EQ(last.records.size(), 1u);
  EXPECT_EQ(last.records[0].ordinal, 9);
  EXPECT_EQ(last.records[0].logical_batch, 0);
  EXPECT_DOUBLE_EQ(last.epoch_after, 2.0);
  EXPECT_TRUE(last.ends_epoch);
}

TEST(Schedule, WindowLongerThanTheEpochIsOneStep) {
  Schedule schedule(options(2, 1, 4, 1.0));
  EXPECT_EQ(schedule.total_steps(), 1);
  EXPECT_EQ(schedule.step(0).logical_batches, 2);
  EXPECT_DOUBLE_EQ(schedule.step(0).epoch_after, 1.0);
}

TEST(Schedule, LogicalBatchesAreConsecutive) {
  Schedule schedule(options(10, 4, 8, 1.0));
  const StepData step = schedule.step(0);
  std::vector<std::int64_t> batches;
  for (const StepRecord& record : step.records) batches.push_back(record.logical_batch);
  EXPECT_EQ(batches, (std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(step.logical_batches, 3);
}

TEST(Schedule, EpochsMayBeFractions) {
  EXPECT_EQ(Schedule(options(10, 1, 1, 0.25)).total_steps(), 3);
  EXPECT_EQ(Schedule(options(10, 1, 1, 1.5)).total_steps(), 15);
  EXPECT_EQ(Schedule(options(10, 1, 1, 1.5)).epochs_begun(), 2);
  EXPECT_EQ(Schedule(options(10, 1, 1, 0.0)).total_steps(), 0);
  // In doubles, as the trainer computes it: 0.07 * 100 is a little more than 7.
  EXPECT_EQ(Schedule(options(100, 1, 1, 0.07)).total_steps(), 8);
}

TEST(Schedule, MaxStepsWins) {
  ScheduleOptions limited = options(10, 1, 1, 3.0);
  limited.max_steps = 25;
  Schedule schedule(limited);
  EXPECT_EQ(schedule.total_steps(), 25);
  EXPECT_EQ(schedule.epochs_begun(), 3);
  EXPECT_DOUBLE_EQ(schedule.step(24).epoch_after, 2.5);
}

TEST(Schedule, WithoutShufflingTheOrderOfTheData) {
  ScheduleOptions plain = options(5, 2, 1, 2.0);
  plain.shuffle = false;
  Schedule schedule(plain);
  EXPECT_EQ(ids(schedule.step(0)), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(ids(schedule.step(2)), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(ids(schedule.step(3)), (std::vector<std::int64_t>{0, 1}));
}

// Resuming inside a later epoch: a step is a function of its number, whatever was asked before.
TEST(Schedule, StepNumberAloneDeterminesTheData) {
  for (const std::int64_t batch : {1, 2}) {
    Schedule through(options(10, batch, 1, 3.0));
    std::vector<std::vector<std::int64_t>> steps;
    for (std::int64_t k = 0; k < through.total_steps(); ++k) steps.push_back(ids(through.step(k)));
    for (const std::int64_t stop : {7, 10, 13}) {
      Schedule resumed(options(10, batch, 1, 3.0));
      for (std::int64_t k = stop; k < resumed.total_steps(); ++k) {
        EXPECT_EQ(ids(resumed.step(k)), steps[static_cast<std::size_t>(k)]) << k;
      }
    }
    std::set<std::vector<std::int64_t>> orders;
    for (std::int64_t epoch = 0; epoch < 3; ++epoch) {
      std::vector<std::int64_t> order;
      for (std::int64_t k = 0; k < through.steps_per_epoch(); ++k) {
        const auto& step = steps[static_cast<std::size_t>(epoch * through.steps_per_epoch() + k)];
        order.insert(order.end(), step.begin(), step.end());
      }
      orders.insert(order);
      std::sort(order.begin(), order.end());
      EXPECT_EQ(order, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    }
    EXPECT_EQ(orders.size(), 3u);
  }
}

// Five records on two ranks: three updates in an epoch, every record once.
TEST(Schedule, RanksShareAStepWithoutRepeating) {
  ScheduleOptions shared = options(5, 1, 1, 2.0);
  shared.ranks = 2;
  Schedule schedule(shared);
  EXPECT_EQ(schedule.steps_per_epoch(), 3);
  std::vector<std::int64_t> seen;
  for (std::int64_t k = 0; k < 3; ++k) {
    const auto step = ids(schedule.step(k));
    seen.insert(seen.end(), step.begin(), step.end());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(schedule.step(2).epoch_after, 1.0);
  EXPECT_EQ(schedule.step(2).records.size(), 1u);
}

TEST(Schedule, EvaluationTakesEveryRecordOnceInOrder) {
  Schedule schedule = evaluation_schedule(7, 2, 2);
  EXPECT_EQ(schedule.total_steps(), 2);
  EXPECT_EQ(ids(schedule.step(0)), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(ids(schedule.step(1)), (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(schedule.step(1).logical_batches, 2);
}

}  // namespace
}  // namespace hone::data
