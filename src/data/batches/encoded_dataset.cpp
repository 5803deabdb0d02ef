#include "data/batches/encoded_dataset.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "formats/checksum.h"

namespace hone::data {

RecordSize size_of(const Example& example, std::span<const std::int32_t> apart_starts) {
  HONE_ASSERT(example.tokens.size() == example.labels.size(), example.tokens.size(),
              example.labels.size());
  const std::vector<std::int32_t>& labels = example.labels;
  RecordSize size;
  size.tokens = static_cast<std::int64_t>(labels.size());
  size.counted_labels = size.tokens - std::count(labels.begin(), labels.end(), kIgnoreLabel);
  size.predicted_labels = size.counted_labels;
  const auto leave_out = [&](std::size_t at) {
    if (at < labels.size() && labels[at] != kIgnoreLabel) --size.predicted_labels;
  };
  if (apart_starts.empty()) leave_out(0);
  for (const std::int32_t start : apart_starts) leave_out(static_cast<std::size_t>(start));
  size.sequences = std::max<std::int64_t>(static_cast<std::int64_t>(apart_starts.size()), 1);
  return size;
}

std::uint64_t checksum_of(std::span<const std::int32_t> numbers) {
  formats::Checksum checksum;
  checksum.add(std::as_bytes(numbers));
  return checksum.value();
}

void EncodedDataset::reserve(std::int64_t records) {
  places_.reserve(static_cast<std::size_t>(records));
  sizes_.reserve(static_cast<std::size_t>(records));
}

void EncodedDataset::append(const Example& example) {
  const RecordSize size = size_of(example);
  const std::size_t length = example.tokens.size();
  auto& copy = copies_.emplace_back(std::make_unique<std::int32_t[]>(2 * length));
  std::copy(example.tokens.begin(), example.tokens.end(), copy.get());
  std::copy(example.labels.begin(), example.labels.end(), copy.get() + length);
  const std::span<const std::int32_t> numbers(copy.get(), 2 * length);
  append_stored({numbers, size, checksum_of(numbers), 0});
}

void EncodedDataset::append_stored(const StoredRecord& record) {
  const RecordSize& size = record.size;
  HONE_ASSERT(static_cast<std::int64_t>(record.numbers.size()) == 2 * size.tokens + record.segments,
              record.numbers.size(), size.tokens, record.segments);
  places_.push_back({record.numbers.data(), record.checksum, record.segments});
  sizes_.push_back(size);
  total_tokens_ += size.tokens;
  total_counted_labels_ += size.counted_labels;
  total_predicted_labels_ += size.predicted_labels;
  records_without_labels_ += size.predicted_labels == 0 ? 1 : 0;
  longest_tokens_ = std::max(longest_tokens_, size.tokens);
}

void EncodedDataset::keep(std::shared_ptr<const void> owner, bool may_change) {
  owners_.push_back(std::move(owner));
  may_change_ = may_change_ || may_change;
}

const EncodedDataset::Place& EncodedDataset::place(std::int64_t record) const {
  HONE_ASSERT(record >= 0 && record < records(), record, records());
  return places_[static_cast<std::size_t>(record)];
}

std::span<const std::int32_t> EncodedDataset::tokens(std::int64_t record) const {
  return {place(record).numbers, static_cast<std::size_t>(size(record).tokens)};
}

std::span<const std::int32_t> EncodedDataset::labels(std::int64_t record) const {
  const auto length = static_cast<std::size_t>(size(record).tokens);
  return {place(record).numbers + length, length};
}

std::span<const std::int32_t> EncodedDataset::starts(std::int64_t record) const {
  const auto length = static_cast<std::size_t>(size(record).tokens);
  const Place& at = place(record);
  return {at.numbers + 2 * length, static_cast<std::size_t>(at.segments)};
}

std::uint64_t EncodedDataset::checksum(std::int64_t record) const {
  return place(record).checksum;
}

void EncodedDataset::check(std::int64_t record) const {
  if (!may_change_) return;
  const Place& at = place(record);
  const auto length = static_cast<std::size_t>(2 * size(record).tokens + at.segments);
  if (checksum_of({at.numbers, length}) == at.checksum) return;
  throw UserError({"read prepared record " + std::to_string(record + 1),
                   "the file in the cache was changed after it was prepared",
                   "set overwrite_cache: true to prepare the records anew"});
}

const RecordSize& EncodedDataset::size(std::int64_t record) const {
  HONE_ASSERT(record >= 0 && record < records(), record, records());
  return sizes_[static_cast<std::size_t>(record)];
}

}  // namespace hone::data
