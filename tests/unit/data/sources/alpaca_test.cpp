#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class Alpaca : public SourceTest {};

constexpr const char* kMixed =
    R"({"instruction":"a","input":"","output":"A"}
{"instruction":"b","input":null,"output":"B"}
{"instruction":"c","output":"C"}
{"instruction":"d","input":"","output":null}
{"instruction":null,"input":"","output":"E"}
{"instruction":"f","input":"","output":5}
{"instruction":"g","input":"","output":"G","extra":{"k":1}}
{"instruction":"h","input":"","output":"H","extra":"s"}
)";

TEST_F(Alpaca, NullsMissingKeysAndWrongKinds) {
  write_set(kMixed);
  const LoadedRecords loaded = load();
  std::string questions;
  std::string answers;
  std::vector<std::int64_t> numbers;
  for (const Record& record : loaded.training) {
    ASSERT_EQ(record.prompt.size(), 1u);
    EXPECT_EQ(record.prompt[0].role, Role::user);
    ASSERT_EQ(record.response.size(), 1u);
    EXPECT_EQ(record.response[0].role, Role::assistant);
    questions += record.prompt[0].content + "|";
    answers += record.response[0].content + "|";
    numbers.push_back(record.origin.number);
  }
  EXPECT_EQ(questions, "a|b|c||g|h|");
  EXPECT_EQ(answers, "A|B|C|E|G|H|");
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 2, 3, 5, 7, 8}));
  EXPECT_EQ(log.lines,
            (Lines{"warning: d.json: 2 of 8 dropped",
                   "warning:   2 without an answer text: record 4 (line 4): 'output' is null; "
                   "record 6 (line 6): 'output' is a whole number"}));
}

TEST_F(Alpaca, QuestionJoinsWhatIsNotEmptyByOneLineEnd) {
  write_set(R"([{"instruction":"a","input":"b","output":""},
                {"instruction":"","input":"b","output":"x"},
                {"instruction":"","input":"","output":"x"},
                {"instruction":"a\n","input":"\nb","output":"x"}])");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 4u);
  EXPECT_EQ(loaded.training[0].prompt[0].content, "a\nb");
  EXPECT_EQ(loaded.training[0].response[0].content, "");  // an empty answer is an answer
  EXPECT_EQ(loaded.training[1].prompt[0].content, "b");
  EXPECT_EQ(loaded.training[2].prompt[0].content, "");
  EXPECT_EQ(loaded.training[3].prompt[0].content, "a\n\n\nb");
}

TEST_F(Alpaca, HistorySystemAndTools) {
  write_set(R"([{"q":"now","a":"A3","h":[["old","A1"],["older","A2"]],"s":"be brief","t":"[]"},
                {"q":"alone","a":"A","h":null,"s":null,"t":null}])",
            R"({"file_name":"d.json","columns":{"prompt":"q","response":"a","history":"h",
                "system":"s","tools":"t"}})");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 2u);
  const Record& record = loaded.training[0];
  ASSERT_EQ(record.prompt.size(), 5u);
  EXPECT_EQ(record.prompt[0].content, "old");
  EXPECT_EQ(record.prompt[1].role, Role::assistant);
  EXPECT_EQ(record.prompt[3].content, "A2");
  EXPECT_EQ(record.prompt[4].content, "now");
  EXPECT_EQ(record.system, "be brief");
  EXPECT_EQ(record.tools, "[]");
  EXPECT_EQ(loaded.training[1].prompt.size(), 1u);
  EXPECT_EQ(loaded.training[1].system, "");
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(Alpaca, WrongKindsElsewhereAreDroppedByName) {
  write_set(R"([{"q":"fine","a":"A","h":[],"s":""},
                {"q":7,"a":"A"},
                {"q":"b","a":"A","h":[["only one"]]},
                {"q":"b","a":"A","h":"text"},
                {"q":"b","a":"A","s":{"x":1}},
                ["q"],
                {"q":"b","a":"A","h":[["q",null]]}])",
            R"({"file_name":"d.json","columns":{"prompt":"q","response":"a","history":"h",
                "system":"s"}})");
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_EQ(log.lines, (Lines{"warning: d.json: 6 of 7 dropped",
                              "warning:   1 not an object: record 6 (line 6): it is a list",
                              "warning:   5 with a value of the wrong kind: "
                              "record 2 (line 2): 'q' is a whole number; "
                              "record 3 (line 3): 'h': turn 1 is not a pair of texts; "
                              "record 4 (line 4): 'h' is a string; "
                              "record 5 (line 5): 's' is an object; "
                              "record 7 (line 7): 'h': turn 1 is not a pair of texts"}));
}

TEST_F(Alpaca, ManyDropsShowTheFirstFive) {
  std::string records = R"({"instruction":"a","input":"","output":"A"})";
  for (int i = 0; i < 7; ++i) records += "\n{\"instruction\":\"a\",\"output\":null}";
  write_set(records);
  load();
  ASSERT_EQ(log.lines.size(), 2u);
  EXPECT_NE(log.lines[1].find("7 without an answer text: record 2 (line 2)"), std::string::npos);
  EXPECT_NE(log.lines[1].find("record 6 (line 6): 'output' is null; ..."), std::string::npos);
  EXPECT_EQ(log.lines[1].find("record 7"), std::string::npos);
}

TEST_F(Alpaca, DefaultInputColumnMayBeAbsent) {
  write_set(R"([{"instruction":"a","output":"A"}])");
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_EQ(
      log.lines,
      (Lines{"data set 'd': no record has 'input'; questions come from 'instruction' alone"}));
}

TEST_F(Alpaca, ColumnThatNoRecordHasIsRefused) {
  write_set(R"([{"instrution":"a","input":"","output":"A"}])");
  EXPECT_EQ(refusal(),
            "data set 'd': column 'instruction'\n"
            "  found: none of the 1 records read from d.json has it; the first has instrution, "
            "input, output (did you mean 'instrution'?)\n"
            "  to do: name the right columns under 'columns' in dataset_info.json");
}

TEST_F(Alpaca, SurrogatesAndRawBytes) {
  write_set(
      "{\"instruction\":\"\\ud83d\\ude00\",\"input\":\"\",\"output\":\"b\"}\n"
      "{\"instruction\":\"\\ud83d\",\"input\":\"\",\"output\":\"b\"}\n"
      "{\"instruction\":\"\\ude00\\ud83d\",\"input\":\"\",\"output\":\"b\"}\n");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 3u);
  EXPECT_EQ(loaded.training[0].prompt[0].content, "\xF0\x9F\x98\x80");
  EXPECT_EQ(loaded.training[1].prompt[0].content, "\xEF\xBF\xBD");
  EXPECT_EQ(loaded.training[2].prompt[0].content, "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(log.lines,
            (Lines{"warning: d.json: 3 half surrogate pairs (broken \\u escapes) became U+FFFD"}));

  write_set("{\"instruction\":\"a\xC3\x28\",\"input\":\"\",\"output\":\"b\"}\n");
  const std::string invalid = refusal();
  EXPECT_NE(invalid.find("DIR/d.json"), std::string::npos) << invalid;
  EXPECT_NE(invalid.find("17"), std::string::npos) << invalid;  // the byte

  write_set(std::string("{\"instruction\":\"a") + '\0' + "\",\"input\":\"\",\"output\":\"b\"}\n");
  EXPECT_NE(refusal().find("DIR/d.json"), std::string::npos);
}

TEST_F(Alpaca, ByteOrderMarks) {
  const std::string records = R"({"instruction":"x","input":"","output":"a"})"
                              "\n"
                              R"({"instruction":"x","input":"","output":"b"})";
  const std::string array = "[" + std::string(records).replace(records.find('\n'), 1, ",") + "]";
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::string& text : {mark + array, mark + records, array}) {
    write("dataset_info.json", mark + R"({"d":{"file_name":"d.json"}})");
    write("d.json", text);
    const LoadedRecords loaded = load();
    ASSERT_EQ(loaded.training.size(), 2u);
    EXPECT_EQ(loaded.training[0].prompt[0].content, "x");
    EXPECT_EQ(loaded.training[1].response[0].content, "b");
  }
  std::string wide = "\xFF\xFE";
  for (const char c : array) wide += {c, '\0'};
  write_set(wide);
  EXPECT_NE(refusal().find("UTF-16"), std::string::npos);
}

}  // namespace
}  // namespace hone::data
