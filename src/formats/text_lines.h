// A text file line by line, read in blocks, one line held at a time.
//
// A line ends with LF, CR LF or CR, or with the file. A byte-order mark of UTF-8 is skipped; UTF-16
// and UTF-32, and bytes that are not UTF-8, are refused with file and place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "formats/records.h"
#include "formats/regular_file.h"

namespace hone::formats {

class TextLines {
 public:
  // Errors (UserError): see open_regular_file.
  explicit TextLines(const std::filesystem::path& file);

  // The next line without its end; false at the end of the file. The view is valid until the next
  // call. UserError: not UTF-8, or longer than 256 MiB.
  bool next(std::string_view& line);

  // Of the line that next() gave: its number, from 1, and how it ended in the file ("\n", "\r\n",
  // "\r", or nothing at the end of the file).
  std::int64_t number() const { return number_; }
  std::string_view ending() const { return ending_; }
  const std::string& file_name() const { return name_; }

 private:
  bool fill();
  std::size_t find_end();

  FileDescriptor descriptor_;
  std::string name_;
  std::string buffer_;
  std::size_t begin_ = 0;   // of the next line in the buffer
  std::size_t offset_ = 0;  // of the buffer in the file
  bool started_ = false;
  bool ended_ = false;
  std::int64_t number_ = 0;
  std::string_view ending_;
};

// Rows of a text file: one object {"text": line} for each line, empty ones too.
class TextReader {
 public:
  explicit TextReader(const std::filesystem::path& file) : lines_(file) {}
  bool next(Record& record);

 private:
  TextLines lines_;
};

}  // namespace hone::formats
