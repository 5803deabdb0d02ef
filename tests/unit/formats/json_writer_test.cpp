#include "formats/json_writer.h"

#include <cmath>
#include <cstring>

#include "formats/json.h"
#include "unit/formats/expect_fault.h"

namespace hone::formats {
namespace {

// Recorded by record/record_python_json.py.
Value recorded() {
  return read_json(HONE_TEST_DATA "/python_json.json");
}

TEST(JsonWriter, WritesWhatPythonWrites) {
  const Value file = recorded();
  const Array& cases = file.find("cases")->array();
  EXPECT_GE(cases.size(), 18u);
  for (const Value& each : cases) {
    const Value& value = *each.find("value");
    EXPECT_EQ(dump_python(value), each.find("plain")->string());
    PythonStyle style;
    style.compact = true;
    EXPECT_EQ(dump_python(value, style), each.find("compact")->string());
    style = PythonStyle();
    style.indent = 2;
    EXPECT_EQ(dump_python(value, style), each.find("indented")->string());
    style = PythonStyle();
    style.ensure_ascii = false;
    EXPECT_EQ(dump_python(value, style), each.find("unicode")->string());
    style.indent = 4;
    style.sort_keys = true;
    EXPECT_EQ(dump_python(value, style), each.find("sorted")->string());
  }
}

TEST(JsonWriter, WritesNumbersAsPythonDoes) {
  const Value file = recorded();
  const Array& numbers = file.find("numbers")->array();
  EXPECT_GE(numbers.size(), 400u);
  for (const Value& each : numbers) {
    const std::uint64_t bits = std::stoull(each.find("hex")->string(), nullptr, 16);
    double number;
    std::memcpy(&number, &bits, sizeof number);
    EXPECT_EQ(python_repr(number), each.find("repr")->string());
    EXPECT_EQ(dump_python(Value(number)), each.find("repr")->string());
  }
}

TEST(JsonWriter, WritesWhatJsonCannotHoldAsNull) {
  EXPECT_EQ(dump_python(Value(Array{Value(std::nan("")), Value(INFINITY), Value(-INFINITY)})),
            "[null, null, null]");
  EXPECT_EQ(python_repr(std::nan("")), "nan");
  EXPECT_EQ(python_repr(-INFINITY), "-inf");
}

TEST(JsonWriter, RepairsTextThatIsNotUtf8) {
  EXPECT_EQ(dump_python(Value("a\xC3(\xED\xA0\xBD")), "\"a\\ufffd(\\ufffd\\ufffd\\ufffd\"");
}

TEST(JsonWriter, WritesWhatItsReaderReads) {
  const Value file = recorded();
  EXPECT_EQ(parse_json(dump_python(file), "again"), file);
}

}  // namespace
}  // namespace hone::formats
