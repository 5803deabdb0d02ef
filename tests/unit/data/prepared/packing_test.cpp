// The packs are those of LLaMA-Factory's functions on these lengths.
#include "data/prepared/packing.h"

#include <gtest/gtest.h>

#include <numeric>

#include "data/batches/packed_batch.h"
#include "data/encoding/encode_records.h"

namespace hone::data {
namespace {

using Ints = std::vector<std::int32_t>;
using Packs = std::vector<std::vector<std::int64_t>>;

Packs packs_of(const std::vector<std::int64_t>& lengths, std::int64_t capacity) {
  Packs packs;
  for (const auto& pack : pack_lengths(lengths, capacity)) {
    auto& shown = packs.emplace_back();
    for (const std::size_t index : pack) shown.push_back(lengths[index]);
  }
  return packs;
}

// A row of `length` tokens base, base + 1, ..., the last two of them learned.
EncodedRow row_of(std::int32_t base, std::int64_t length) {
  Example example;
  example.tokens.resize(static_cast<std::size_t>(length));
  std::iota(example.tokens.begin(), example.tokens.end(), base);
  example.labels.assign(static_cast<std::size_t>(length), kIgnoreLabel);
  for (std::size_t back = 1; back <= 2 && back <= example.tokens.size(); ++back) {
    example.labels[example.tokens.size() - back] = example.tokens[example.tokens.size() - back];
  }
  return make_row(example);
}

// Packs rows of these lengths, 0 for a dropped one.
std::shared_ptr<const EncodedRows> packed(const std::vector<std::int64_t>& lengths,
                                          const PackingOptions& options,
                                          const PretrainingOptions* text = nullptr,
                                          std::int64_t* left_out = nullptr) {
  MemoryRows memory;
  std::int32_t base = 100;
  for (const std::int64_t length : lengths) {
    EncodedRow row = length == 0 ? dropped_row() : row_of(base, length);
    row.info.number = base / 100;
    memory.add(row);
    base += 100;
  }
  const auto rows = memory.finish();
  const RowAt at = [&](std::int64_t place) {
    return RowView{&rows->info(place), rows->numbers(place)};
  };
  MemoryRows result;
  if (text == nullptr) {
    pack_records(rows->count(), at, options, result);
  } else {
    *left_out = pack_texts(rows->count(), at, options, *text, result);
  }
  return result.finish();
}

EncodedRecords gathered(std::shared_ptr<const EncodedRows> rows) {
  EncodedRecords records;
  records.dataset.keep(rows, false);
  for (std::int64_t row = 0; row < rows->count(); ++row) append_row(records, *rows, row, 0);
  return records;
}

TEST(Packing, LongestThatFitsFirst) {
  EXPECT_EQ(packs_of({6, 7, 8, 6, 8, 6}, 15), (Packs{{8, 7}, {8, 6}, {6, 6}}));
  EXPECT_EQ(packs_of({1, 2, 3, 4, 5, 6, 7}, 10), (Packs{{7, 3}, {6, 4}, {5, 2, 1}}));
  EXPECT_EQ(packs_of({10, 10, 5, 5, 3}, 12), (Packs{{10}, {10}, {5, 5}, {3}}));
  EXPECT_EQ(packs_of({}, 12), (Packs{}));
}

TEST(Packing, OfEqualLengthsTheLaterFirst) {
  using Indices = std::vector<std::vector<std::size_t>>;
  const std::vector<std::int64_t> lengths = {6, 7, 8, 6, 15, 6};
  EXPECT_EQ(pack_lengths(lengths, 15), (Indices{{4}, {2, 1}, {5, 3}, {0}}));
  // A record of 23, 30, 34 and 40 tokens in packs of 63.
  EXPECT_EQ(packs_of({23, 30, 34, 40}, 63), (Packs{{40, 23}, {34}, {30}}));
}

TEST(Packing, BatchesOfRunsOfRows) {
  using Batches = std::vector<std::pair<std::int64_t, std::int64_t>>;
  EXPECT_EQ(packing_batches(10, {.batch_rows = 4}), (Batches{{0, 4}, {4, 8}, {8, 10}}));
  EXPECT_EQ(packing_batches(11, {.batch_rows = 3, .workers = 3}),
            (Batches{{0, 3}, {3, 4}, {4, 7}, {7, 8}, {8, 11}}));
  EXPECT_EQ(packing_batches(2, {.batch_rows = 3, .workers = 16}), (Batches{{0, 1}, {1, 2}}));
  EXPECT_EQ(packing_batches(0, {}), (Batches{}));
}

TEST(Packing, APackIsOneSequence) {
  const EncodedRecords records = gathered(packed({3, 0, 4}, {.pack_tokens = 8}));
  ASSERT_EQ(records.dataset.records(), 1);
  EXPECT_EQ(records.origins[0].number, 3);
  EXPECT_EQ(records.dataset.size(0).sequences, 1);
  EXPECT_EQ(records.dataset.size(0).counted_labels, 4);
  PackedBatch batch;
  batch.fill(records.dataset, std::vector<StepRecord>{{0, 5, 0}});
  EXPECT_EQ(batch.tokens, (Ints{300, 301, 302, 303, 100, 101, 102}));
  EXPECT_EQ(batch.positions, (Ints{0, 1, 2, 3, 0, 1, 2}));
  EXPECT_EQ(batch.query_starts, (Ints{0, 7}));
  EXPECT_EQ(batch.label_rows, (Ints{1, 2, 4, 5}));
  EXPECT_EQ(batch.labels, (Ints{302, 303, 101, 102}));
}

TEST(Packing, RecordsOfANeatPackDoNotSeeEachOther) {
  const EncodedRecords records = gathered(packed({2, 3, 4}, {.pack_tokens = 9, .apart = true}));
  ASSERT_EQ(records.dataset.records(), 1);
  EXPECT_EQ(records.dataset.size(0).sequences, 3);
  // The record of two tokens has a label on its first, which nothing predicts.
  EXPECT_EQ(records.dataset.size(0).counted_labels, 6);
  EXPECT_EQ(records.dataset.size(0).predicted_labels, 5);
  PackedBatch batch;
  batch.reserve({9, 3, 5});
  const auto* starts = batch.query_starts.data();
  batch.fill(records.dataset, std::vector<StepRecord>{{0, 5, 1}});
  EXPECT_EQ(batch.query_starts.data(), starts);
  EXPECT_EQ(batch.query_starts, (Ints{0, 4, 7, 9}));
  EXPECT_EQ(batch.positions, (Ints{0, 1, 2, 3, 0, 1, 2, 0, 1}));
  EXPECT_EQ(batch.label_rows, (Ints{1, 2, 4, 5, 7}));
  EXPECT_EQ(batch.labels, (Ints{302, 303, 201, 202, 101}));
  EXPECT_EQ(batch.record_ids, (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(batch.ordinals, (std::vector<std::int64_t>{5, 5, 5}));
  EXPECT_EQ(batch.logical_batches, (Ints{1, 1, 1}));
  EXPECT_EQ(batch.counted_labels, 6);
}

TEST(Packing, BlocksOfText) {
  PretrainingOptions text;
  text.begin = 7;
  text.pad = 202;
  std::int64_t left_out = 0;
  const auto rows = packed({4, 3, 0, 6}, {.pack_tokens = 4}, &text, &left_out);
  const EncodedRecords records = gathered(rows);
  ASSERT_EQ(records.dataset.records(), 3);
  EXPECT_EQ(left_out, 1);
  const auto ids = [&](std::int64_t i) {
    return Ints(records.dataset.tokens(i).begin(), records.dataset.tokens(i).end());
  };
  const auto labels = [&](std::int64_t i) {
    return Ints(records.dataset.labels(i).begin(), records.dataset.labels(i).end());
  };
  EXPECT_EQ(ids(0), (Ints{7, 101, 102, 103}));
  EXPECT_EQ(ids(1), (Ints{7, 201, 202, 400}));
  EXPECT_EQ(ids(2), (Ints{7, 402, 403, 404}));
  EXPECT_EQ(labels(0), (Ints{7, 101, 102, 103}));
  EXPECT_EQ(labels(1), (Ints{7, 201, kIgnoreLabel, 400}));
  EXPECT_EQ(records.origins[1].number, 2);
  EXPECT_EQ(records.origins[2].number, 4);
}

}  // namespace
}  // namespace hone::data
