#include "data/batches/encoded_dataset.h"

#include <algorithm>

#include "base/error.h"

namespace hone::data {

void EncodedDataset::reserve(std::int64_t records, std::int64_t tokens) {
  tokens_.reserve(static_cast<std::size_t>(tokens));
  labels_.reserve(static_cast<std::size_t>(tokens));
  starts_.reserve(static_cast<std::size_t>(records) + 1);
  sizes_.reserve(static_cast<std::size_t>(records));
}

void EncodedDataset::append(const Example& example) {
  HONE_ASSERT(example.tokens.size() == example.labels.size(), example.tokens.size(),
              example.labels.size());
  tokens_.insert(tokens_.end(), example.tokens.begin(), example.tokens.end());
  labels_.insert(labels_.end(), example.labels.begin(), example.labels.end());
  starts_.push_back(tokens_.size());

  const auto ignored = std::count(example.labels.begin(), example.labels.end(), kIgnoreLabel);
  const auto length = static_cast<std::int64_t>(example.labels.size());
  const std::int64_t counted = length - ignored;
  const bool first_is_label = length > 0 && example.labels.front() != kIgnoreLabel;
  const std::int64_t predicted = counted - (first_is_label ? 1 : 0);
  sizes_.push_back({length, counted, predicted});
  total_counted_labels_ += counted;
  total_predicted_labels_ += predicted;
  records_without_labels_ += predicted == 0 ? 1 : 0;
  longest_tokens_ = std::max(longest_tokens_, length);
}

std::span<const std::int32_t> EncodedDataset::tokens(std::int64_t record) const {
  HONE_ASSERT(record >= 0 && record < records(), record, records());
  const auto index = static_cast<std::size_t>(record);
  return std::span(tokens_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
}

std::span<const std::int32_t> EncodedDataset::labels(std::int64_t record) const {
  HONE_ASSERT(record >= 0 && record < records(), record, records());
  const auto index = static_cast<std::size_t>(record);
  return std::span(labels_).subspan(starts_[index], starts_[index + 1] - starts_[index]);
}

const RecordSize& EncodedDataset::size(std::int64_t record) const {
  HONE_ASSERT(record >= 0 && record < records(), record, records());
  return sizes_[static_cast<std::size_t>(record)];
}

}  // namespace hone::data
