// The rows of one data file, whatever its type.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "formats/records.h"

namespace hone::data {

class FileRows {
 public:
  virtual ~FileRows() = default;
  // The next row; false at the end. Errors: see the readers in formats.
  virtual bool next(formats::Record& record) = 0;
  // Half surrogate pairs that became U+FFFD so far.
  virtual std::int64_t replaced_surrogates() const { return 0; }
};

// By the name's end: json and jsonl (whose content decides which of the two it is), csv, txt, and
// (where the build reads them) parquet and arrow.
std::unique_ptr<FileRows> open_file_rows(const std::filesystem::path& file);

// The type that a file's name says, as LLaMA-Factory names it: "json" (also for jsonl), "csv",
// "text", "parquet", "arrow"; empty for any other.
std::string file_type(const std::filesystem::path& file);

}  // namespace hone::data
