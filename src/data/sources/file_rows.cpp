#include "data/sources/file_rows.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/error.h"
#include "formats/columnar.h"
#include "formats/csv.h"
#include "formats/text_lines.h"

namespace hone::data {
namespace {

class JsonRows final : public FileRows {
 public:
  explicit JsonRows(const std::filesystem::path& file) : reader_(file) {}
  bool next(formats::Record& record) override { return reader_.next(record); }
  std::int64_t replaced_surrogates() const override { return reader_.replaced_surrogates(); }

 private:
  formats::RecordReader reader_;
};

class ColumnarRows final : public FileRows {
 public:
  ColumnarRows(const std::filesystem::path& file, formats::ColumnarKind kind)
      : reader_(formats::open_columnar(file, kind)) {}
  bool next(formats::Record& record) override { return reader_->next(record); }

 private:
  std::unique_ptr<formats::ColumnarReader> reader_;
};

template <class Reader>
class PlainRows final : public FileRows {
 public:
  explicit PlainRows(const std::filesystem::path& file) : reader_(file) {}
  bool next(formats::Record& record) override { return reader_.next(record); }

 private:
  Reader reader_;
};

}  // namespace

std::string file_type(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::pair<const char*, const char*> types[] = {
      {".json", "json"}, {".jsonl", "json"},      {".csv", "csv"},
      {".txt", "text"},  {".parquet", "parquet"}, {".arrow", "arrow"}};
  for (const auto& [end, type] : types) {
    if (extension == end) return type;
  }
  return "";
}

std::unique_ptr<FileRows> open_file_rows(const std::filesystem::path& file) {
  const std::string type = file_type(file);
  if (type == "csv") return std::make_unique<PlainRows<formats::CsvReader>>(file);
  if (type == "text") return std::make_unique<PlainRows<formats::TextReader>>(file);
  if (type == "parquet") {
    return std::make_unique<ColumnarRows>(file, formats::ColumnarKind::parquet);
  }
  if (type == "arrow") return std::make_unique<ColumnarRows>(file, formats::ColumnarKind::arrow);
  HONE_ASSERT(type == "json", file.string());
  return std::make_unique<JsonRows>(file);
}

}  // namespace hone::data
