#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class Sharegpt : public SourceTest {
 protected:
  static constexpr const char* kEntry = R"({"file_name":"d.json","formatting":"sharegpt"})";
};

constexpr const char* kHumanGpt =
    R"({"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a"}]})";
constexpr const char* kBroken =
    R"({"conversations":[{"from":"gpt","value":"a"},{"from":"human","value":"q"}]}
{"conversations":[{"from":"human","value":"q"},{"from":"human","value":"q"},{"from":"gpt","value":"a"}]}
{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"a"},{"from":"human","value":"q"}]}
{"conversations":[]}
)";
constexpr const char* kSystem =
    R"({"conversations":[{"from":"system","value":"s"},{"from":"human","value":"q"},{"from":"gpt","value":"a"}]})";

TEST_F(Sharegpt, BrokenConversationsAreDroppedWithNumberAndReason) {
  write_set(std::string(kHumanGpt) + "\n" + kBroken + kSystem, kEntry);
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 2u);
  EXPECT_EQ(loaded.training[0].system, "");
  EXPECT_EQ(loaded.training[0].prompt[0].content, "q");
  EXPECT_EQ(loaded.training[1].system, "s");
  EXPECT_EQ(loaded.training[1].response[0].content, "a");
  EXPECT_EQ(
      log.lines,
      (Lines{"warning: d.json: 4 of 6 dropped",
             "warning:   1 with an odd number of messages: record 4 (line 4): 3 messages, the last "
             "is not an answer",
             "warning:   2 with roles out of order: record 2 (line 2): message 1 is from 'gpt' "
             "where a question should be; record 3 (line 3): message 2 is from 'human' where an "
             "answer should be",
             "warning:   1 without messages: record 5 (line 5): the conversation is empty"}));
}

TEST_F(Sharegpt, NothingLeftIsRefused) {
  write_set(kBroken, kEntry);
  EXPECT_EQ(refusal(),
            "data set 'd': d.json\n"
            "  found: no valid samples in d.json: 4 dropped (1 with an odd number of messages, 2 "
            "with roles out of order, 1 without messages)\n"
            "  to do: correct the records; the first: record 1 (line 1): message 1 is from 'gpt' "
            "where a question should be");
}

TEST_F(Sharegpt, OnlyPositionsMatterForToolRoles) {
  write_set(
      R"([{"conversations":[{"from":"human","value":"q"},{"from":"function_call","value":"f"},
          {"from":"observation","value":"o"},{"from":"gpt","value":"a"},
          {"from":"observation","value":"o2"},{"from":"function_call","value":"g"}],
          "tools":"[1]","system":"column"}])",
      R"({"file_name":"d.json","formatting":"sharegpt",
          "columns":{"messages":"conversations","tools":"tools","system":"system"}})");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 1u);
  const Record& record = loaded.training[0];
  ASSERT_EQ(record.prompt.size(), 5u);
  EXPECT_EQ(record.prompt[1].role, Role::function);
  EXPECT_EQ(record.prompt[2].role, Role::observation);
  EXPECT_EQ(record.response[0].role, Role::function);
  EXPECT_EQ(record.response[0].content, "g");
  EXPECT_EQ(record.tools, "[1]");
  EXPECT_EQ(record.system, "column");
}

TEST_F(Sharegpt, LeadingSystemMessageWinsOverTheColumn) {
  write_set(
      R"([{"m":[{"from":"system","value":"message"},{"from":"human","value":"q"},
                {"from":"gpt","value":"a"}],"s":"column"}])",
      R"({"file_name":"d.json","formatting":"sharegpt","columns":{"messages":"m","system":"s"}})");
  EXPECT_EQ(load().training[0].system, "message");
}

// Where `tags` is given, a tag that it does not name does not exist.
TEST_F(Sharegpt, TagsThatAreNotNamedDoNotExist) {
  write_set(
      R"([{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"},
                       {"role":"assistant","content":"a"}]},
          {"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}]}])",
      R"({"file_name":"d.json","formatting":"sharegpt","columns":{"messages":"messages"},
          "tags":{"role_tag":"role","content_tag":"content","user_tag":"user",
                  "assistant_tag":"assistant"}})");
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_EQ(log.lines, (Lines{"warning: d.json: 1 of 2 dropped",
                              "warning:   1 with an unknown role: record 1 (line 1): message 1 is "
                              "from 'system'"}));
}

TEST_F(Sharegpt, MessagesThatAreNoMessages) {
  write_set(std::string(kHumanGpt) + R"(
{"conversations":null}
{"other":1}
{"conversations":"text"}
{"conversations":["human: q"]}
{"conversations":[{"value":"q"}]}
{"conversations":[{"from":5,"value":"q"}]}
{"conversations":[{"from":"human"}]}
{"conversations":[{"from":"human","value":"q"},{"from":"gpt","value":[1]}]}
{"conversations":[{"from":"human","value":"q"},{"from":"system","value":"late"}]}
7
)",
            kEntry);
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_EQ(
      log.lines,
      (Lines{"warning: d.json: 10 of 11 dropped",
             "warning:   1 not an object: record 11 (line 11): it is a whole number",
             "warning:   3 with a message without a role: record 5 (line 5): message 1: it is a "
             "string; record 6 (line 6): message 1: 'from' is missing; record 7 (line 7): message "
             "1: 'from' is a whole number",
             "warning:   2 with a message without text: record 8 (line 8): message 1: 'value' is "
             "missing; record 9 (line 9): message 2: 'value' is a list",
             "warning:   1 with a value of the wrong kind: record 4 (line 4): 'conversations' is a "
             "string",
             "warning:   1 with roles out of order: record 10 (line 10): message 2 is from "
             "'system' where an answer should be",
             "warning:   2 without messages: record 2 (line 2): 'conversations' is null; record 3 "
             "(line 3): 'conversations' is missing"}));
}

}  // namespace
}  // namespace hone::data
