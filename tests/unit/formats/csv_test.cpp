#include "formats/csv.h"

#include <gtest/gtest.h>

#include "unit/formats/expect_fault.h"
#include "unit/formats/temporary_folder.h"

namespace hone::formats {
namespace {

class Csv : public testing::Test {
 protected:
  // "name=value name=null |" for each record; the line where it starts in front.
  std::string read(const std::string& text) {
    CsvReader reader(place.write("t.csv", text));
    std::string shown;
    Record record;
    while (reader.next(record)) {
      shown += std::to_string(record.line) + ":";
      for (const Member& member : record.value.object()) {
        shown += " " + member.key + "=" + (member.value.is_null() ? "null" : member.value.string());
      }
      shown += " |";
    }
    return shown;
  }
  void refused(const std::string& text, const std::string& asked, const std::string& found) {
    expect_fault([&] { read(text); }, asked, found);
  }
  TemporaryFolder place;
};

TEST_F(Csv, PlainAndQuotedFields) {
  EXPECT_EQ(read("a,b\n1,x y\n\"q, \"\"r\"\"\",\n"), "2: a=1 b=x y |3: a=q, \"r\" b=null |");
  EXPECT_EQ(read("\xEF\xBB\xBF"
                 "a,b\r\n\"two\r\nlines\",\"\"\r\n\r\nx,y"),
            "2: a=two\r\nlines b=null |5: a=x b=y |");
  EXPECT_EQ(read("a\rx\ry"), "2: a=x |3: a=y |");
  EXPECT_EQ(read("a,b\n,\n"), "2: a=null b=null |");
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("a,b\n"), "");
}

TEST_F(Csv, WhatIsNotCsvNamesTheLine) {
  refused("a,b\n1,2\n3\n", "t.csv, line 3", "1 fields, where the header has 2");
  refused("a,b\n1,2,3\n", "t.csv, line 2", "3 fields, where the header has 2");
  refused("a,b\n1,\"x\ny\n", "t.csv, line 2", "a quotation mark that is not closed");
  refused("a,b\n1,\"x\"y\n", "t.csv, line 2", "'y' after a closing quotation mark");
  refused("a,,b\n", "t.csv, line 1", "column 2 of the header has no name");
  refused("a,b,a\n", "t.csv, line 1", "two columns named 'a'");
  refused("a\nx\xff\n", "t.csv", "UTF-8");
  refused(std::string("\xFF\xFE"
                      "a\0",
                      4),
          "t.csv", "UTF-16");
}

TEST_F(Csv, RowsAcrossBlocks) {
  std::string text = "a,b\n";
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + ",\"line\nend " + std::string(i % 40, 'x') + "\"\r\n";
  CsvReader reader(place.write("t.csv", text));
  Record record;
  int rows = 0;
  for (; reader.next(record); ++rows) {
    ASSERT_EQ(record.value.object()[0].value.string(), std::to_string(rows));
    ASSERT_EQ(record.value.object()[1].value.string(), "line\nend " + std::string(rows % 40, 'x'));
    ASSERT_EQ(record.line, 2 + 2 * rows);
  }
  EXPECT_EQ(rows, 60000);
}

TEST_F(Csv, LinesOfText) {
  TextReader reader(place.write("t.txt", "a\n\r\nb\r\rc"));
  std::string shown;
  Record record;
  while (reader.next(record)) {
    shown += std::to_string(record.line) + record.value.find("text")->string() + "|";
  }
  EXPECT_EQ(shown, "1a|2|3b|4|5c|");
  TextReader broken(place.write("u.txt", "ok\n\xC3\x28\n"));
  EXPECT_TRUE(broken.next(record));
  expect_fault([&] { broken.next(record); }, "u.txt", "UTF-8");
}

}  // namespace
}  // namespace hone::formats
