#include "data/prepared/encoded_rows.h"

#include <utility>

#include "base/error.h"

namespace hone::data {

EncodedRow make_row(const Example& example, std::span<const std::int32_t> starts, bool apart) {
  EncodedRow row;
  const RecordSize size = size_of(example, apart ? starts : std::span<const std::int32_t>());
  row.numbers.reserve(example.tokens.size() * 2 + starts.size());
  row.numbers = example.tokens;
  row.numbers.insert(row.numbers.end(), example.labels.begin(), example.labels.end());
  row.numbers.insert(row.numbers.end(), starts.begin(), starts.end());
  row.info.tokens = static_cast<std::int32_t>(size.tokens);
  row.info.counted_labels = static_cast<std::int32_t>(size.counted_labels);
  row.info.predicted_labels = static_cast<std::int32_t>(size.predicted_labels);
  row.info.segments = static_cast<std::int32_t>(starts.size());
  row.info.flags = apart ? kRowApart : 0;
  row.info.checksum = checksum_of(row.numbers);
  return row;
}

EncodedRow dropped_row() {
  EncodedRow row;
  row.info.flags = kRowDropped;
  row.info.checksum = checksum_of({});
  return row;
}

EncodedRows::EncodedRows(std::vector<RowInfo> infos, std::vector<std::int32_t> numbers)
    : own_infos_(std::move(infos)),
      own_numbers_(std::move(numbers)),
      infos_(own_infos_),
      numbers_(own_numbers_) {}

EncodedRows::EncodedRows(formats::MappedFile infos, formats::MappedFile numbers)
    : info_file_(std::make_unique<formats::MappedFile>(std::move(infos))),
      number_file_(std::make_unique<formats::MappedFile>(std::move(numbers))),
      infos_(reinterpret_cast<const RowInfo*>(info_file_->bytes().data()),
             info_file_->size_bytes() / sizeof(RowInfo)),
      numbers_(reinterpret_cast<const std::int32_t*>(number_file_->bytes().data()),
               number_file_->size_bytes() / sizeof(std::int32_t)) {}

std::span<const std::int32_t> EncodedRows::numbers(std::int64_t row) const {
  HONE_ASSERT(row >= 0 && row < count(), row, count());
  const RowInfo& about = info(row);
  const auto length =
      static_cast<std::size_t>(about.tokens) * 2 + static_cast<std::size_t>(about.segments);
  return numbers_.subspan(about.offset, length);
}

void EncodedRows::let_go() const {
  if (!from_files()) return;
  info_file_->let_go(info_file_->bytes());
  number_file_->let_go(number_file_->bytes());
}

void MemoryRows::add(EncodedRow& row) {
  row.info.offset = numbers_.size();
  infos_.push_back(row.info);
  numbers_.insert(numbers_.end(), row.numbers.begin(), row.numbers.end());
}

std::shared_ptr<const EncodedRows> MemoryRows::finish() {
  return std::make_shared<const EncodedRows>(std::move(infos_), std::move(numbers_));
}

}  // namespace hone::data
