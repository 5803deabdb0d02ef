// The fixtures are written by record/record_columnar.py with pyarrow 26.0.1.
#include "formats/columnar.h"

#include <gtest/gtest.h>

#include "formats/json_writer.h"
#include "formats/whole_file.h"
#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

const std::vector<std::pair<const char*, ColumnarKind>> kFiles = {
    {"columns.parquet", ColumnarKind::parquet},
    {"stream.arrow", ColumnarKind::arrow},
    {"file.arrow", ColumnarKind::arrow}};

std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(HONE_TEST_DATA) / name;
}

TEST(Columnar, RowsOfEveryForm) {
  for (const auto& [name, kind] : kFiles) {
    if (!reads_columnar_files()) {
      expect_fault([&] { open_columnar(fixture(name), kind); }, std::string("read: "),
                   "which this hone was built without", "./run build --arrow");
      continue;
    }
    const auto reader = open_columnar(fixture(name), kind);
    std::string rows;
    PythonStyle style;
    style.ensure_ascii = false;
    Record record;
    while (reader->next(record)) {
      rows += std::to_string(record.line) + dump_python(record.value, style) + "\n";
    }
    EXPECT_EQ(
        rows,
        "1{\"instruction\": \"plain\", \"output\": \"a\", \"word\": \"x\", \"count\": 1, "
        "\"share\": 0.5, \"good\": true, \"messages\": [{\"role\": \"user\", \"content\": "
        "\"q\"}, {\"role\": \"assistant\", \"content\": null}], \"day\": \"2024-02-29\"}\n"
        "2{\"instruction\": \"d\u00e9j\u00e0 \U0001f600\", \"output\": \"b\", \"word\": "
        "\"y\", \"count\": -2, \"share\": 1e+300, \"good\": false, \"messages\": [], \"day\": "
        "\"2024-02-29\"}\n"
        "3{\"instruction\": \"\", \"output\": \"c\", \"word\": \"x\", \"count\": 3, "
        "\"share\": -0.25, \"good\": null, \"messages\": null, \"day\": \"2024-02-29\"}\n"
        "4{\"instruction\": null, \"output\": \"d\", \"word\": null, \"count\": null, "
        "\"share\": null, \"good\": true, \"messages\": [{\"role\": \"user\", \"content\": "
        "\"r\"}], \"day\": \"2024-02-29\"}\n")
        << name;
  }
}

// Cut short or with bytes changed: rows, or a refusal in words, and nothing worse.
TEST(Columnar, BrokenFilesAreRefusedInWords) {
  const TemporaryFolder place;
  for (const auto& [name, kind] : kFiles) {
    const std::string whole = read_whole_file(fixture(name), 1 << 20);
    int refused = 0;
    const auto read = [&, kind = kind](const std::string& bytes) {
      try {
        const auto reader = open_columnar(place.write("broken", bytes), kind);
        Record record;
        while (reader->next(record)) {
        }
      } catch (const UserError& error) {
        EXPECT_FALSE(error.faults().front().found.empty());
        ++refused;
      }
    };
    for (std::size_t length = 0; length < whole.size(); length += 97) read(whole.substr(0, length));
    EXPECT_GT(refused, 10) << name;
    for (std::size_t at = 0; at < whole.size(); at += 53) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x15);
      read(bytes);
    }
  }
}

}  // namespace
}  // namespace hone::formats
