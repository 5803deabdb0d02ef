// Pairs of answers and judged answers.
#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class Preferences : public SourceTest {
 protected:
  static std::string shown(const Record& record) {
    std::string text;
    for (const Message& message : record.prompt) text += message.content + ",";
    text += " ->";
    for (const Message& message : record.response) text += " [" + message.content + "]";
    return text;
  }
};

TEST_F(Preferences, PairsOfAlpaca) {
  options.purpose = Purpose::pairs;
  write_set(R"([{"q":"x","c":"good","r":"bad"},{"q":"y","c":"good","r":null},{"q":"z","c":"one"}])",
            R"({"file_name":"d.json","ranking":true,
                "columns":{"prompt":"q","chosen":"c","rejected":"r"}})");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 1u);
  EXPECT_EQ(shown(loaded.training[0]), "x, -> [good] [bad]");
  EXPECT_EQ(log.lines[1],
            "warning:   2 without a pair of answers: record 2 (line 1): 'r' is null; record 3 "
            "(line 1): 'r' is missing");
}

TEST_F(Preferences, PairsOfConversations) {
  options.purpose = Purpose::pairs;
  write_set(
      R"({"conversations":[{"from":"human","value":"q"}],"c":{"from":"gpt","value":"good"},"r":{"from":"gpt","value":"bad"}}
{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a"}],"c":{"from":"gpt","value":"g"},"r":{"from":"gpt","value":"b"}}
{"conversations":[{"from":"human","value":"q"}],"c":{"from":"nobody","value":"g"},"r":{"from":"gpt","value":"b"}}
{"conversations":[{"from":"human","value":"q"}],"c":{"from":"gpt","value":"g"},"r":"b"}
{"conversations":[{"from":"human","value":"q"}],"c":{"from":"gpt"},"r":{"from":"gpt","value":"b"}}
)",
      R"({"file_name":"d.json","formatting":"sharegpt","ranking":true,
                "columns":{"messages":"conversations","chosen":"c","rejected":"r"}})");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 1u);
  EXPECT_EQ(shown(loaded.training[0]), "q, -> [good] [bad]");
  EXPECT_EQ(log.lines,
            (Lines{"warning: d.json: 4 of 5 dropped",
                   "warning:   1 with an even number of messages: record 2 (line 2): 2 messages, "
                   "the last is not a question",
                   "warning:   3 without a pair of answers: record 3 (line 3): 'c' is from nobody "
                   "known; record 4 (line 4): 'r' is a string; record 5 (line 5): 'c.value' is "
                   "missing"}));
}

TEST_F(Preferences, JudgedAnswers) {
  options.purpose = Purpose::judged;
  write_set(R"({"instruction":"x","output":"good","label":true}
{"instruction":"y","output":"bad","label":false}
{"instruction":"z","output":"?","label":"true"}
)",
            R"({"file_name":"d.json",
                "columns":{"prompt":"instruction","response":"output","kto_tag":"label"}})");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 2u);
  EXPECT_EQ(shown(loaded.training[0]), "x, -> [good] []");
  EXPECT_EQ(shown(loaded.training[1]), "y, -> [] [bad]");
  EXPECT_EQ(log.lines[1],
            "warning:   1 not judged by true or false: record 3 (line 3): 'label' is a string");
}

TEST_F(Preferences, JudgedConversations) {
  options.purpose = Purpose::judged;
  write_set(
      R"([{"m":[{"from":"human","value":"q"},{"from":"gpt","value":"a"}],"label":false}])",
      R"({"file_name":"d.json","formatting":"sharegpt","columns":{"messages":"m","kto_tag":"label"}})");
  EXPECT_EQ(shown(load().training.at(0)), "q, -> [] [a]");
}

}  // namespace
}  // namespace hone::data
