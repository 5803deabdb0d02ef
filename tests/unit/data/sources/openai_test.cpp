// Conversations as OpenAI's interface writes them.
#include "unit/data/sources/source_fixture.h"

namespace hone::data {
namespace {

using Lines = std::vector<std::string>;

class OpenAi : public SourceTest {
 protected:
  static constexpr const char* kEntry = R"({"file_name":"d.json","formatting":"openai",
      "columns":{"messages":"messages","system":"system","tools":"tools"},
      "tags":{"role_tag":"role","content_tag":"content","user_tag":"user",
              "assistant_tag":"assistant","observation_tag":"tool","function_tag":"function",
              "system_tag":"system"}})";

  void write_messages(const std::string& records) { write_set(records, kEntry); }
};

TEST_F(OpenAi, ToolCallsAndResults) {
  write_messages(
      R"([{"messages":[{"role":"user","content":"q"},
          {"role":"assistant","content":"thinking","tool_calls":[
            {"id":"1","function":{"name":"f","arguments":"{\"a\": 1}"}},
            {"id":"2","function":{"name":"é","arguments":{}}}]},
          {"role":"tool","content":"one"},{"role":"tool","content":"two"},
          {"role":"assistant","content":"done","tool_calls":[]}],
          "system":"be brief","tools":[{"name":"f"}]}])");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 1u);
  const Record& record = loaded.training[0];
  ASSERT_EQ(record.prompt.size(), 3u);
  EXPECT_EQ(record.prompt[1].role, Role::function);
  EXPECT_EQ(record.prompt[1].content,
            "[{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}, {\"name\": \"é\", "
            "\"arguments\": {}}]");
  EXPECT_EQ(record.prompt[2].role, Role::observation);
  EXPECT_EQ(record.prompt[2].content, "one\n</tool_response>\n<tool_response>\ntwo");
  EXPECT_EQ(record.response[0].content, "done");
  EXPECT_EQ(record.tools, "[{\"name\": \"f\"}]");
  EXPECT_EQ(record.system, "be brief\n");
}

TEST_F(OpenAi, SystemTextIsRewritten) {
  const std::string turns = R"({"role":"user","content":"q"},{"role":"assistant","content":"a"})";
  const std::string with_system = R"({"role":"system","content":"s"},)" + turns;
  write_messages("[{\"messages\":[" + turns + "],\"tools\":null},{\"messages\":[" + turns +
                 "],\"tools\":\"[1]\"},{\"messages\":[" + with_system +
                 "],\"system\":\"column\"},{\"messages\":[" + turns +
                 "],\"system\":\"detailed thinking on\"}]");
  Lines systems;
  for (const Record& record : load().training) systems.push_back(record.system);
  EXPECT_EQ(systems, (Lines{"detailed thinking off", "", "s\ndetailed thinking off",
                            "detailed thinking on"}));
}

TEST_F(OpenAi, ResultsWithoutAnAnswerAreTold) {
  write_messages(
      R"([{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"},
           {"role":"tool","content":"one"},{"role":"tool","content":"two"}],"tools":""}])");
  const LoadedRecords loaded = load();
  ASSERT_EQ(loaded.training.size(), 1u);
  EXPECT_EQ(loaded.training[0].response[0].content, "a");
  EXPECT_EQ(log.lines,
            (Lines{"warning: d.json: 2 tool results at the end of 1 conversations have no answer "
                   "after them and are left out"}));
}

TEST_F(OpenAi, BrokenConversations) {
  write_messages(
      R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"tools":""}
{"messages":[{"role":"user","content":"q"},{"role":"robot","content":"a"}]}
{"messages":[{"role":"assistant","content":"a"},{"role":"user","content":"q"}]}
{"messages":[{"role":"user","content":"q"}]}
{"messages":[{"role":"user","content":null}]}
{"messages":[{"content":"q"}]}
{"messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":[5]}]}
{"messages":[{"role":"user","content":"q"},{"role":"system","content":"late"}]}
{"messages":{}}
3
)");
  EXPECT_EQ(load().training.size(), 1u);
  EXPECT_EQ(
      log.lines,
      (Lines{"warning: d.json: 9 of 10 dropped",
             "warning:   1 not an object: record 10 (line 10): it is a whole number",
             "warning:   1 with a message without a role: record 6 (line 6): message 1: "
             "'role' is no text",
             "warning:   1 with a message without text: record 5 (line 5): message 1: "
             "'content' is null",
             "warning:   1 with a tool call without a function: record 7 (line 7): message 2",
             "warning:   1 with a value of the wrong kind: record 9 (line 9): 'messages' is "
             "an object",
             "warning:   1 with an odd number of messages: record 4 (line 4): 1 messages, "
             "the last is not an answer",
             "warning:   1 with an unknown role: record 2 (line 2): message 2 is from 'robot'",
             "warning:   2 with roles out of order: record 3 (line 3): turn 1 is an answer "
             "where a question should be; record 8 (line 8): message 2 is from 'system'"}));
}

}  // namespace
}  // namespace hone::data
