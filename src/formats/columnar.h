// Records from Parquet and Arrow files, by Apache Arrow where hone was built with it (HONE_ARROW,
// cmake/arrow.cmake). One batch of rows is held at a time; of a Parquet file one row group.
//
// Texts, whole and other numbers, booleans, lists and structs are what they are in JSON; a value of
// any other type (dates, decimals, ...) is the text that Arrow writes for it. Texts that are not
// UTF-8 are refused.
#pragma once

#include <filesystem>
#include <memory>

#include "formats/records.h"

namespace hone::formats {

class ColumnarReader {
 public:
  virtual ~ColumnarReader() = default;
  // The next row, an object of the columns; false at the end. UserError: see above, and what Arrow
  // finds wrong with the file. Record::line is the row's number.
  virtual bool next(Record& record) = 0;
};

enum class ColumnarKind { parquet, arrow };

// Whether this build reads such files.
bool reads_columnar_files();

// Arrow files: both of Arrow's forms, for files and for streams (the package `datasets` writes the
// latter). UserError: not such a file; a build without Apache Arrow.
std::unique_ptr<ColumnarReader> open_columnar(const std::filesystem::path& file, ColumnarKind kind);

}  // namespace hone::formats
