// From names of data sets to the records to train and to evaluate on, in LLaMA-Factory's order:
// each set's first max_samples records, converted, put one after another, split, and only then
// freed of records that cannot be used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "data/sources/record.h"

namespace hone::data {

struct SourceOptions {
  std::filesystem::path dataset_dir = "data";
  std::vector<std::string> datasets;        // at least one; one given twice is loaded once
  std::vector<std::string> eval_datasets;   // not together with val_size
  std::optional<std::int64_t> max_samples;  // of each set
  double val_size = 0.0;
  std::int64_t seed = 42;  // of the split
};

struct LoadedRecords {
  std::vector<Record> training;    // none has a flaw
  std::vector<Record> evaluation;  // none has a flaw; empty when there is no evaluation
  std::vector<std::string> files;  // RecordOrigin::file is an index into these
};

// Notices and the counts of dropped records go to `log`. UserError, for all sets together where
// they are independent: what registry.h, data_files.h and split.h say; unreadable JSON; a column
// that no record has (but the default column `input`, whose absence is told); a set in which no
// record is valid.
LoadedRecords load_records(const SourceOptions& options, LogSink& log);

}  // namespace hone::data
