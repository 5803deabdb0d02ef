#include "train/batch_feed.h"

#include "base/error.h"

namespace hone::train {
namespace {

// A key is step * 2^40 + place * 2^20 + position.
constexpr int kPlaceBits = 20;
constexpr int kPositionBits = 20;

}  // namespace

BatchFeed::BatchFeed(const data::EncodedDataset& dataset, const data::BatchCapacity& capacity,
                     bool dropout)
    : dataset_(dataset),
      dropout_(dropout),
      unit_weights_(static_cast<std::size_t>(capacity.labels), 1.0f) {
  batch_.reserve(capacity);
  lengths_.reserve(static_cast<std::size_t>(capacity.sequences));
  if (dropout) dropout_keys_.reserve(static_cast<std::size_t>(capacity.tokens));
}

model::BatchView BatchFeed::pack(std::span<const data::StepRecord> records, std::int64_t step,
                                 std::int64_t first_ordinal) {
  batch_.fill(dataset_, records);
  lengths_.clear();
  for (std::size_t s = 0; s + 1 < batch_.query_starts.size(); ++s) {
    lengths_.push_back(batch_.query_starts[s + 1] - batch_.query_starts[s]);
  }
  if (dropout_) make_keys(step, first_ordinal);
  const std::span<const float> ones(unit_weights_);
  return {.tokens = batch_.tokens,
          .positions = batch_.positions,
          .query_starts = batch_.query_starts,
          .query_lengths = lengths_,
          .order_by_token = batch_.order_by_token,
          .label_rows = batch_.label_rows,
          .labels = batch_.labels,
          .label_weights = batch_.weights.empty() ? ones.first(batch_.labels.size())
                                                  : std::span<const float>(batch_.weights),
          .dropout_keys = dropout_keys_};
}

void BatchFeed::make_keys(std::int64_t step, std::int64_t first_ordinal) {
  dropout_keys_.clear();
  std::uint64_t before = 0;
  for (std::size_t s = 0; s < lengths_.size(); ++s) {
    const std::int64_t place = batch_.ordinals[s] - first_ordinal;
    HONE_ASSERT(place >= 0 && place < (std::int64_t{1} << kPlaceBits), place);
    HONE_ASSERT(lengths_[s] <= (1 << kPositionBits), lengths_[s]);
    const auto base = static_cast<std::uint64_t>((step << (kPlaceBits + kPositionBits)) +
                                                 (place << kPositionBits));
    // The sequences of one pack lie one after another and count their tokens together.
    if (s == 0 || batch_.ordinals[s] != batch_.ordinals[s - 1]) before = 0;
    for (std::int32_t position = 0; position < lengths_[s]; ++position) {
      dropout_keys_.push_back(base + before + static_cast<std::uint64_t>(position));
    }
    before += static_cast<std::uint64_t>(lengths_[s]);
  }
}

}  // namespace hone::train
