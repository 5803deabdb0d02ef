// Rows of a data set as token ids and labels, as they lie in memory or in a file of the cache.
//
// Of each row there is a RowInfo of 64 bytes, and in one array of 32-bit numbers its ids, then its
// labels, then (a pack of several records) where in the pack each of them starts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/sources/record.h"
#include "formats/mapped_file.h"

namespace hone::data {

// As written to files, in this machine's byte order (little endian); append-only by RowsAbout's
// format number.
struct RowInfo {
  std::uint64_t offset = 0;    // of the row's first number in the array
  std::uint64_t checksum = 0;  // xxHash64 of its numbers
  std::int64_t number = 0;     // of RecordOrigin; of a pack: its first record's
  std::int64_t line = 0;
  std::int32_t file = 0;  // index into the files of the data set
  std::int32_t tokens = 0;
  std::int32_t counted_labels = 0;    // see RecordSize
  std::int32_t predicted_labels = 0;  // see RecordSize
  std::int32_t cut_tokens = 0;        // what did not fit into cutoff_len
  std::int32_t control_tokens = 0;    // special tokens that stand in the record's own texts
  std::int32_t segments = 0;          // records of a pack; 0: one record
  std::int32_t flags = 0;
};
static_assert(sizeof(RowInfo) == 64);

inline constexpr std::int32_t kRowDropped = 1;  // cannot be used; keeps its place, has no tokens
inline constexpr std::int32_t kRowApart = 2;    // a pack whose records do not see each other

struct EncodedRow {
  RowInfo info;
  std::vector<std::int32_t> numbers;  // ids, labels, starts
};

// The row of an example; `starts`: of a pack's records. Counts and checksum are filled in.
EncodedRow make_row(const Example& example, std::span<const std::int32_t> starts = {},
                    bool apart = false);

// A row that cannot be used.
EncodedRow dropped_row();

// What rows are written to.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // Sets the offset of `row.info`.
  virtual void add(EncodedRow& row) = 0;
};

// Read-only; any number of threads may read.
class EncodedRows {
 public:
  // From memory.
  EncodedRows(std::vector<RowInfo> infos, std::vector<std::int32_t> numbers);
  // From files whose sizes were checked.
  EncodedRows(formats::MappedFile infos, formats::MappedFile numbers);
  EncodedRows(const EncodedRows&) = delete;
  EncodedRows& operator=(const EncodedRows&) = delete;

  std::int64_t count() const { return static_cast<std::int64_t>(infos_.size()); }
  const RowInfo& info(std::int64_t row) const { return infos_[static_cast<std::size_t>(row)]; }
  std::span<const std::int32_t> numbers(std::int64_t row) const;
  bool from_files() const { return info_file_ != nullptr; }

  // Pages of files that were read leave the process's memory until they are read again.
  void let_go() const;

 private:
  std::vector<RowInfo> own_infos_;
  std::vector<std::int32_t> own_numbers_;
  std::unique_ptr<formats::MappedFile> info_file_;
  std::unique_ptr<formats::MappedFile> number_file_;
  std::span<const RowInfo> infos_;
  std::span<const std::int32_t> numbers_;
};

class MemoryRows final : public RowSink {
 public:
  void add(EncodedRow& row) override;
  std::shared_ptr<const EncodedRows> finish();

 private:
  std::vector<RowInfo> infos_;
  std::vector<std::int32_t> numbers_;
};

}  // namespace hone::data
