// Records as token ids and labels: what training and evaluation read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hone::data {

// The label of a token that is not learned.
inline constexpr std::int32_t kIgnoreLabel = -100;

// One record. Labels are unshifted: labels[t] is tokens[t] where it is to be learned, an
// end-of-answer id where a template says so, else kIgnoreLabel. Both have the same length.
struct Example {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> labels;
};

// What dealing and planning need to know of a record.
struct RecordSize {
  std::int64_t tokens = 0;
  // Labels other than kIgnoreLabel, before the shift: what a step's mean loss is divided by (as in
  // LLaMA-Factory, a label at position 0 counts although nothing predicts it).
  std::int64_t counted_labels = 0;
  // Labels that some row can predict: those at positions 1 and up.
  std::int64_t predicted_labels = 0;
  // What attention sees apart: 1, but for a pack whose records do not see each other.
  std::int64_t sequences = 1;
};

// Where labels begin again in it that the row before cannot predict: 0, and each of `apart_starts`.
RecordSize size_of(const Example& example, std::span<const std::int32_t> apart_starts = {});

// xxHash64 of ids, labels and starts, one after another.
std::uint64_t checksum_of(std::span<const std::int32_t> numbers);

// A record that lies elsewhere: ids, then as many labels, then (a pack of records) where each of
// its records starts.
struct StoredRecord {
  std::span<const std::int32_t> numbers;
  RecordSize size;
  std::uint64_t checksum = 0;
  std::int32_t segments = 0;  // records of a pack; 0: one record
};

// Append-only; read from any number of threads.
class EncodedDataset {
 public:
  EncodedDataset() = default;
  EncodedDataset(EncodedDataset&&) = default;
  EncodedDataset& operator=(EncodedDataset&&) = default;

  void reserve(std::int64_t records);
  // Copies the example.
  void append(const Example& example);
  // Refers to what `keep` holds, which stays alive. `may_change`: it lies in a file that somebody
  // else could write to, so it is checked whenever it is packed.
  void append_stored(const StoredRecord& record);
  void keep(std::shared_ptr<const void> owner, bool may_change);

  std::int64_t records() const { return static_cast<std::int64_t>(sizes_.size()); }
  std::int64_t total_tokens() const { return total_tokens_; }
  std::int64_t total_counted_labels() const { return total_counted_labels_; }
  // 0: there is nothing to train on.
  std::int64_t total_predicted_labels() const { return total_predicted_labels_; }
  // Records in which nothing is learned: they weigh nothing in a step.
  std::int64_t records_without_labels() const { return records_without_labels_; }
  std::int64_t longest_tokens() const { return longest_tokens_; }

  std::span<const std::int32_t> tokens(std::int64_t record) const;
  std::span<const std::int32_t> labels(std::int64_t record) const;
  const RecordSize& size(std::int64_t record) const;
  const std::vector<RecordSize>& sizes() const { return sizes_; }
  // Where the records of a pack start, the first at 0; empty for a single record.
  std::span<const std::int32_t> starts(std::int64_t record) const;
  std::uint64_t checksum(std::int64_t record) const;

  // UserError when the record's bytes are no longer what was prepared.
  void check(std::int64_t record) const;

 private:
  struct Place {
    const std::int32_t* numbers = nullptr;
    std::uint64_t checksum = 0;
    std::int32_t segments = 0;
  };
  const Place& place(std::int64_t record) const;

  std::vector<Place> places_;
  std::vector<RecordSize> sizes_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::vector<std::unique_ptr<std::int32_t[]>> copies_;
  bool may_change_ = false;
  std::int64_t total_tokens_ = 0;
  std::int64_t total_counted_labels_ = 0;
  std::int64_t total_predicted_labels_ = 0;
  std::int64_t records_without_labels_ = 0;
  std::int64_t longest_tokens_ = 0;
};

}  // namespace hone::data
