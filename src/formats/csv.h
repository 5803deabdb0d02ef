// Records from a CSV file (RFC 4180): the first row names the columns, the others are records.
//
// Fields are separated by commas and may be quoted by ", where "" stands for one quotation mark and
// line ends belong to the field. Every field is text, numbers too; an empty one is null. Blank
// lines are skipped. Encoding as in text_lines.h.
//
// Errors (UserError) name file and line: no header, a name twice or empty, a row with more or fewer
// fields than the header, a quotation mark that is not closed, text after a closing one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "formats/records.h"
#include "formats/text_lines.h"

namespace hone::formats {

class CsvReader {
 public:
  explicit CsvReader(const std::filesystem::path& file) : lines_(file) {}

  // The next record, an object of the header's names; false at the end.
  bool next(Record& record);

 private:
  using Row = std::vector<std::string>;
  bool next_row(Row& row);
  void read_header();
  void read_field(std::string_view& rest, std::string& field);
  void read_quoted(std::string_view& rest, std::string& field);
  [[noreturn]] void refuse(std::int64_t line, std::string found, std::string remedy) const;

  TextLines lines_;
  std::string held_;  // a line of a row that goes on beyond it
  Row names_;
  std::int64_t row_line_ = 0;  // where the last row starts
  std::int64_t records_ = 0;
};

}  // namespace hone::formats
