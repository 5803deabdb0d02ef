// A build without Apache Arrow.
#include "base/error.h"
#include "formats/columnar.h"
#include "formats/regular_file.h"

namespace hone::formats {

bool reads_columnar_files() {
  return false;
}

std::unique_ptr<ColumnarReader> open_columnar(const std::filesystem::path& file, ColumnarKind) {
  throw UserError({"read: " + shown_path(file),
                   "Parquet and Arrow files need Apache Arrow, which this hone was built without",
                   "build with ./run build --arrow, or convert the file to JSONL"});
}

}  // namespace hone::formats
