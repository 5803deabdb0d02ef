#include "data/batches/packed_batch.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace hone::data {
namespace {

void clear(PackedBatch& batch) {
  batch.tokens.clear();
  batch.positions.clear();
  batch.query_starts.assign(1, 0);
  batch.label_rows.clear();
  batch.labels.clear();
  batch.weights.clear();
  batch.record_ids.clear();
  batch.ordinals.clear();
  batch.logical_batches.clear();
  batch.counted_labels = 0;
}

void add_sequence(PackedBatch& batch, const StepRecord& record) {
  batch.query_starts.push_back(static_cast<std::int32_t>(batch.tokens.size()));
  batch.record_ids.push_back(record.record);
  batch.ordinals.push_back(record.ordinal);
  batch.logical_batches.push_back(static_cast<std::int32_t>(record.logical_batch));
}

void append(PackedBatch& batch, const EncodedDataset& dataset, const StepRecord& record) {
  dataset.check(record.record);
  const auto tokens = dataset.tokens(record.record);
  const auto labels = dataset.labels(record.record);
  const auto starts = dataset.starts(record.record);
  const RecordSize& size = dataset.size(record.record);
  const bool apart = size.sequences > 1;
  std::size_t next_start = 0;  // index into starts
  std::size_t start = 0;       // of the record of the pack that t is in
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    const bool begins =
        next_start < starts.size() && static_cast<std::size_t>(starts[next_start]) == t;
    if (begins) {
      ++next_start;
      start = t;
      if (apart && t > 0) add_sequence(batch, record);
    }
    const bool predicted = t > 0 && !(apart && begins) && labels[t] != kIgnoreLabel;
    if (predicted) {
      batch.label_rows.push_back(static_cast<std::int32_t>(batch.tokens.size()) - 1);
      batch.labels.push_back(labels[t]);
    }
    batch.positions.push_back(static_cast<std::int32_t>(t - start));
    batch.tokens.push_back(tokens[t]);
  }
  add_sequence(batch, record);
  batch.counted_labels += size.counted_labels;
}

}  // namespace

void PackedBatch::reserve(const BatchCapacity& capacity) {
  const auto token_capacity = static_cast<std::size_t>(capacity.tokens);
  const auto sequence_capacity = static_cast<std::size_t>(capacity.sequences);
  const auto label_capacity = static_cast<std::size_t>(capacity.labels);
  tokens.reserve(token_capacity);
  positions.reserve(token_capacity);
  order_by_token.reserve(token_capacity);
  query_starts.reserve(sequence_capacity + 1);
  record_ids.reserve(sequence_capacity);
  ordinals.reserve(sequence_capacity);
  logical_batches.reserve(sequence_capacity);
  label_rows.reserve(label_capacity);
  labels.reserve(label_capacity);
}

void PackedBatch::fill(const EncodedDataset& dataset, std::span<const StepRecord> records) {
  std::int64_t total_tokens = 0;
  for (const StepRecord& record : records) {
    total_tokens += dataset.size(record.record).tokens;
  }
  HONE_ASSERT(total_tokens <= std::numeric_limits<std::int32_t>::max(), total_tokens);
  clear(*this);
  for (const StepRecord& record : records) append(*this, dataset, record);

  // std::sort on (token, row) instead of a stable sort, which would allocate.
  order_by_token.resize(tokens.size());
  std::iota(order_by_token.begin(), order_by_token.end(), 0);
  std::sort(order_by_token.begin(), order_by_token.end(), [this](std::int32_t a, std::int32_t b) {
    const std::int32_t token_a = tokens[static_cast<std::size_t>(a)];
    const std::int32_t token_b = tokens[static_cast<std::size_t>(b)];
    return token_a != token_b ? token_a < token_b : a < b;
  });
}

}  // namespace hone::data
