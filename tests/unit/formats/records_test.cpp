#include "formats/records.h"

#include <fstream>
#include <vector>

#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

using namespace std::string_literals;

std::vector<Record> read_all(RecordReader reader) {
  std::vector<Record> records;
  Record record;
  while (reader.next(record)) records.push_back(record);
  EXPECT_FALSE(reader.next(record));
  return records;
}

std::vector<Record> records_of(const std::string& text) {
  return read_all(RecordReader::from_text(text, "d.json"));
}

const std::string kA = R"({"instruction":"x","output":"aaaaaaaa"})";
const std::string kB = R"({"instruction":"x","output":"b"})";

TEST(Records, ReadsListsAndLinesAlike) {
  for (const std::string& text :
       {"[" + kA + "," + kB + "]", "[\n" + kA + " ,\n " + kB + "\n]\n", kA + "\n" + kB,
        kA + "\r\n" + kB + "\r\n", "\n\n" + kA + "\n \t\n" + kB + "\n\n",
        "\xEF\xBB\xBF" + kA + "\n" + kB, "\xEF\xBB\xBF[" + kA + "," + kB + "]"}) {
    const std::vector<Record> records = records_of(text);
    ASSERT_EQ(records.size(), 2u) << text;
    EXPECT_EQ(records[0].value.object()[0].key, "instruction");
    EXPECT_EQ(records[0].value.find("output")->string(), "aaaaaaaa");
    EXPECT_EQ(records[1].value.find("output")->string(), "b");
    EXPECT_EQ(records[1].number, 2);
  }
}

TEST(Records, CountsLines) {
  const std::vector<Record> records = records_of("\n{\"a\":\n 1}\n\n{\"b\": 2}\n3\n\"x\"");
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].line, 2);
  EXPECT_EQ(records[1].line, 5);
  EXPECT_EQ(records[2].value.integer(), 3);
  EXPECT_EQ(records[3].line, 7);
}

TEST(Records, HasNoneInAnEmptyFile) {
  for (const std::string text : {"", " \n\t", "\xEF\xBB\xBF", "[]", " [ ] \n"}) {
    EXPECT_TRUE(records_of(text).empty()) << text;
  }
}

TEST(Records, KeepsColumnsThatChangeTheirType) {
  const auto records = records_of(
      "{\"a\":\"b\",\"input\":null}\n{\"a\":5,\"extra\":{\"k\":1}}\n{\"extra\":\"s\"}\n");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_TRUE(records[0].value.find("input")->is_null());
  EXPECT_EQ(records[1].value.find("a")->integer(), 5);
  EXPECT_TRUE(records[1].value.find("extra")->is_object());
  EXPECT_EQ(records[2].value.find("extra")->string(), "s");
}

TEST(Records, ReplacesLoneSurrogatesAndCountsThem) {
  RecordReader reader = RecordReader::from_text(
      "\"\\ud83d\\ude00\"\n\"\\ud83d\"\n\"\\ude00\\ud83d\"\n\"\\\\ud83d \\uD83D\\u0041\"\n", "d");
  const std::pair<const char*, int> expected[] = {{"\xF0\x9F\x98\x80", 0},
                                                  {"\xEF\xBF\xBD", 1},
                                                  {"\xEF\xBF\xBD\xEF\xBF\xBD", 2},
                                                  {"\\ud83d \xEF\xBF\xBD\x41", 1}};
  Record record;
  for (const auto& [text, replaced] : expected) {
    ASSERT_TRUE(reader.next(record));
    EXPECT_EQ(record.value.string(), text);
    EXPECT_EQ(record.replaced_surrogates, replaced);
  }
  EXPECT_EQ(reader.replaced_surrogates(), 4);
}

TEST(Records, NamesOtherEncodingsAndBadBytes) {
  expect_fault([] { records_of("\xFF\xFE{\0"s); }, "text in UTF-8: d.json",
               "the file is UTF-16 (little endian)", "save it as UTF-8");
  expect_fault([] { records_of("[\0{\0"s); }, "d.json", "UTF-16");
  expect_fault([] { records_of("{\"a\":1}\n{\"a\":\"\xC3(\"}\n"); }, "text in UTF-8: d.json",
               "byte 0xC3 at offset 14 is not UTF-8");
  expect_fault([] { records_of("{\"a\":1}\n{\"a\":\"x\0y\"}\n"s); },
               "JSON: d.json, record 2, line 2, column 8", "a zero byte at offset 15");
  expect_fault([] { records_of("{\"a\":\"x\x01y\"}\n"); }, "record 1, line 1, column 8",
               "control character U+0001");
  expect_fault([] { records_of("{\"a\":\"x\ty\"}\n"); }, "record 1, line 1", "U+0009");
}

TEST(Records, NamesTheLineOfABrokenRecord) {
  struct Case {
    std::string text;
    std::string asked;
    std::string found;
  };
  const Case cases[] = {
      {kA + "\n{\"a\": 1,}\n" + kB, "JSON: d.json, record 2, line 2, column 9",
       "a comma before '}'"},
      {kA + "\n{\"a\": \"cut\n" + kB, "record 2, line 2", "control character U+000A"},
      {kA + "\n{\"a\": 1\n" + kB, "record 2, line 3, column 1", "unexpected '{'"},
      {kA + kB, "JSON: d.json, line 1, column 40", "more text after a record on its line"},
      {kA + ",\n" + kB, "line 1, column 40", "more text after a record on its line"},
      {kA + "\n{\"a\"", "record 2, line 2", "unexpected end of input"},
      {"[" + kA + ",\n" + kB + ",]", "line 2, column 34", "a comma before ']'"},
      {"[" + kA + "\n" + kB + "]", "line 2, column 1", "'{' after a record"},
      {"[" + kA + "]\n" + kB, "line 2, column 1", "more text after the end of the list"},
      {"[" + kA, "line 1, column 41", "the end of the file inside the list"},
      {"[" + kA + ",", "line 1", "the end of the file inside the list"},
      {"[" + kA + ",{\"a\":tru}]", "record 2, line 1, column 50", "invalid literal"},
      {"[,]", "record 1, line 1, column 2", "unexpected ','"},
      {"{\"a\":1,\"a\":2}", "record 1, line 1", "the key \"a\" a second time (first on line 1)"},
      {"]", "record 1, line 1, column 1", "unexpected ']'"},
      {"abc", "record 1, line 1, column 1", "invalid literal"},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    expect_fault([&] { records_of(each.text); }, each.asked, each.found);
  }
}

TEST(Records, ReadsTheRecordsBeforeABrokenOne) {
  RecordReader reader = RecordReader::from_text(kA + "\n{]", "d.json");
  Record record;
  EXPECT_TRUE(reader.next(record));
  EXPECT_THROW(reader.next(record), UserError);
}

TEST(Records, KeepsWholeNumbersBeyond64Bits) {
  const auto records = records_of("{\"id\": 123456789012345678901234567890}");
  EXPECT_EQ(records[0].value.find("id")->number(), 1.2345678901234568e29);
}

// Larger than the blocks that the file is read in, with records across their borders.
TEST(Records, ReadsFilesInBlocks) {
  const TemporaryFolder folder;
  for (const bool list : {false, true}) {
    std::string text = list ? "[" : "";
    std::vector<std::string> bodies;
    for (int record = 0; record < 60; ++record) {
      bodies.push_back(
          std::string(static_cast<std::size_t>(record * 1789 + (record == 31 ? 3'000'000 : 0)),
                      static_cast<char>('a' + record % 26)) +
          "\\\"}]");
      text += (record > 0 ? (list ? ",\n" : "\n") : "") + ("{\"body\":\"" + bodies.back()) + "\"}";
    }
    text += list ? "]" : "\n";
    const auto path = folder.write("d.json", text);
    RecordReader reader(path);
    EXPECT_EQ(reader.file_name(), path.native());
    const std::vector<Record> records = read_all(std::move(reader));
    ASSERT_EQ(records.size(), bodies.size());
    for (std::size_t at = 0; at < bodies.size(); ++at) {
      std::string expected = bodies[at];
      expected.erase(expected.size() - 4, 1);  // the backslash of \"
      EXPECT_EQ(records[at].value.find("body")->string(), expected);
      EXPECT_EQ(records[at].line, static_cast<std::int64_t>(at) + 1);
    }
  }
}

TEST(Records, RefusesAFileThatIsNotThere) {
  expect_fault([] { RecordReader("/none/d.json"); }, "read: /none/d.json", "No such file");
}

}  // namespace
}  // namespace hone::formats
