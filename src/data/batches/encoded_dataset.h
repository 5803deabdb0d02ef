// Records as token ids and labels: what training and evaluation read, in three flat arrays.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

// Append-only; read from any number of threads.
class EncodedDataset {
 public:
  void reserve(std::int64_t records, std::int64_t tokens);
  void append(const Example& example);

  std::int64_t records() const { return static_cast<std::int64_t>(sizes_.size()); }
  std::int64_t total_tokens() const { return static_cast<std::int64_t>(tokens_.size()); }
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

 private:
  std::vector<std::int32_t> tokens_;
  std::vector<std::int32_t> labels_;
  std::vector<std::size_t> starts_ = {0};  // records + 1
  std::vector<RecordSize> sizes_;
  std::int64_t total_counted_labels_ = 0;
  std::int64_t total_predicted_labels_ = 0;
  std::int64_t records_without_labels_ = 0;
  std::int64_t longest_tokens_ = 0;
};

}  // namespace hone::data
