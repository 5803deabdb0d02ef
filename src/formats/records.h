// Bulk records from one file of JSON: an array of values, or values one after another (JSONL). The
// content decides, not the name's extension: a file whose first character is '[' is an array.
//
// The file is read in blocks, one record is held at a time. A byte-order mark of UTF-8 is skipped;
// UTF-16 and UTF-32 are refused in words. In JSONL a record may span lines, but no line holds two.
// A lone surrogate escape ("\ud83d") becomes U+FFFD and is counted; bytes that are not UTF-8, raw
// control characters in strings, and one key twice in one object are errors.
//
// Errors (UserError) name the file and the line, and for encodings the byte.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "formats/value.h"

namespace hone::formats {

struct Record {
  Value value;                           // any kind: the caller says what a record must be
  std::int64_t number = 0;               // 1 is the first of the file
  std::int64_t line = 0;                 // where the record starts; 1 is the first
  std::int64_t replaced_surrogates = 0;  // lone surrogate escapes that became U+FFFD
};

class RecordReader {
 public:
  // Opens a regular file. Errors: not there, not a regular file, not readable, UTF-16.
  explicit RecordReader(const std::filesystem::path& file);

  // The same over text in memory; `name` stands for the file in errors. The text is copied.
  static RecordReader from_text(std::string_view text, std::string name);

  RecordReader(RecordReader&&) noexcept;
  RecordReader& operator=(RecordReader&&) noexcept;
  ~RecordReader();

  // The next record; false at the end. An empty or blank file has none. After an error the reader
  // cannot go on.
  bool next(Record& record);

  // Sum over the records so far.
  std::int64_t replaced_surrogates() const;

  // The file as errors name it.
  const std::string& file_name() const;

 private:
  class Impl;
  explicit RecordReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hone::formats
