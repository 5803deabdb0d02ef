#include "data/batches/packed_batch.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::data {
namespace {

using Ints = std::vector<std::int32_t>;

EncodedDataset three_records() {
  EncodedDataset dataset;
  dataset.append({{7, 5, 7}, {kIgnoreLabel, 5, 7}});
  dataset.append({{9}, {9}});                             // one token: its label has no row
  dataset.append({{5, 7}, {5, kIgnoreLabel}});            // only the unpredictable label
  dataset.append({{4, 7, 6, 2}, {-100, -100, 2, -100}});  // a label that is not its token
  return dataset;
}

TEST(EncodedDataset, CountsLabelsBeforeAndAfterTheShift) {
  const EncodedDataset dataset = three_records();
  EXPECT_EQ(dataset.records(), 4);
  EXPECT_EQ(dataset.total_tokens(), 10);
  EXPECT_EQ(dataset.total_counted_labels(), 5);
  EXPECT_EQ(dataset.total_predicted_labels(), 3);
  EXPECT_EQ(dataset.records_without_labels(), 2);
  EXPECT_EQ(dataset.longest_tokens(), 4);
  EXPECT_EQ(dataset.size(1).counted_labels, 1);
  EXPECT_EQ(dataset.size(1).predicted_labels, 0);
  EXPECT_EQ(dataset.size(0).predicted_labels, 2);
}

TEST(PackedBatch, PacksWithoutPadding) {
  const EncodedDataset dataset = three_records();
  PackedBatch batch;
  const std::vector<StepRecord> records = {{3, 12, 0}, {1, 13, 0}, {0, 14, 1}, {2, 15, 1}};
  batch.fill(dataset, records);
  EXPECT_EQ(batch.tokens, (Ints{4, 7, 6, 2, 9, 7, 5, 7, 5, 7}));
  EXPECT_EQ(batch.positions, (Ints{0, 1, 2, 3, 0, 0, 1, 2, 0, 1}));
  EXPECT_EQ(batch.query_starts, (Ints{0, 4, 5, 8, 10}));
  EXPECT_EQ(batch.label_rows, (Ints{1, 5, 6}));
  EXPECT_EQ(batch.labels, (Ints{2, 5, 7}));
  EXPECT_TRUE(batch.weights.empty());
  EXPECT_EQ(batch.record_ids, (std::vector<std::int64_t>{3, 1, 0, 2}));
  EXPECT_EQ(batch.ordinals, (std::vector<std::int64_t>{12, 13, 14, 15}));
  EXPECT_EQ(batch.logical_batches, (Ints{0, 0, 1, 1}));
  EXPECT_EQ(batch.order_by_token, (Ints{3, 0, 6, 8, 2, 1, 5, 7, 9, 4}));
  EXPECT_EQ(batch.counted_labels, 5);
}

TEST(PackedBatch, RefillForgetsAndDoesNotAllocate) {
  const EncodedDataset dataset = three_records();
  PackedBatch batch;
  batch.reserve({10, 4, 3});
  const auto* tokens = batch.tokens.data();
  const auto* starts = batch.query_starts.data();
  const auto* rows = batch.label_rows.data();
  batch.fill(dataset, std::vector<StepRecord>{{0, 0, 0}, {1, 1, 0}, {2, 2, 1}, {3, 3, 1}});
  batch.fill(dataset, std::vector<StepRecord>{{1, 4, 0}});
  EXPECT_EQ(batch.tokens, (Ints{9}));
  EXPECT_EQ(batch.query_starts, (Ints{0, 1}));
  EXPECT_EQ(batch.label_count(), 0);
  EXPECT_EQ(batch.counted_labels, 1);
  EXPECT_EQ(batch.order_by_token, (Ints{0}));
  EXPECT_EQ(batch.tokens.data(), tokens);
  EXPECT_EQ(batch.query_starts.data(), starts);
  EXPECT_EQ(batch.label_rows.data(), rows);
}

TEST(PackedBatch, EmptyMicroStepAndEmptyRecord) {
  EncodedDataset dataset;
  dataset.append({});
  PackedBatch batch;
  batch.fill(dataset, {});
  EXPECT_EQ(batch.token_count(), 0);
  EXPECT_EQ(batch.query_starts, (Ints{0}));
  batch.fill(dataset, std::vector<StepRecord>{{0, 0, 0}});
  EXPECT_EQ(batch.sequence_count(), 1);
  EXPECT_EQ(batch.query_starts, (Ints{0, 0}));
}

TEST(PackedBatch, RecordThatIsNotThereIsADefect) {
  const EncodedDataset dataset = three_records();
  PackedBatch batch;
  EXPECT_THROW(batch.fill(dataset, std::vector<StepRecord>{{4, 0, 0}}), InternalError);
}

}  // namespace
}  // namespace hone::data
