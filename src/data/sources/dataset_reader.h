// One data set, record by record: its files are read one after another, rows are converted, and
// what cannot be used is counted. One record is held at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "data/sources/dataset_entry.h"
#include "data/sources/drops.h"
#include "data/sources/file_rows.h"
#include "data/sources/record.h"
#include "formats/value.h"

namespace hone::data {

// A line for the user, kept to be said again when the records come from a cache.
struct SaidLine {
  Severity severity = Severity::info;
  std::string text;
};

class DatasetReader {
 public:
  // Finds the files of `entry`, relative to `folder`. UserError: see find_data_files. `max_rows`:
  // no more rows than this are read.
  DatasetReader(DatasetEntry entry, const std::filesystem::path& folder,
                std::optional<std::int64_t> max_rows);

  const DatasetEntry& entry() const { return entry_; }
  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  // The files as messages call them; RecordOrigin::file counts these.
  const std::vector<std::string>& file_names() const { return file_names_; }

  // The next record, also one with a flaw; false at the end. UserError: unreadable JSON and what
  // else the readers of formats/ refuse.
  bool next(Record& record);

  std::int64_t records() const { return drops_.records(); }

  // After the end, or where no more is wanted: what is to be said of the set. UserError: no
  // records, a column that no record has (but the default column `input`, whose absence is told),
  // no valid record.
  std::vector<SaidLine> finish();

 private:
  void close_file();
  void see_columns(const formats::Value& row);
  void check_columns(FaultList& faults);

  DatasetEntry entry_;
  std::string asked_;
  std::vector<std::filesystem::path> paths_;
  std::vector<std::string> file_names_;
  std::optional<std::int64_t> max_rows_;
  DropLedger drops_;
  std::vector<SaidLine> said_;
  std::vector<std::string> missing_;  // columns that no record had so far
  std::vector<std::string> first_keys_;
  std::size_t file_ = 0;
  std::unique_ptr<FileRows> rows_;  // of that file; nothing before it is opened
  formats::Record row_;
  std::int64_t lost_messages_ = 0;
  std::int64_t lost_messages_records_ = 0;
};

}  // namespace hone::data
