// Tool texts, byte for byte as LLaMA-Factory @ ff6d4d12 writes them.
#include "data/templates/tool_format.h"

#include <gtest/gtest.h>

#include "unit/data/templates/template_fixture.h"

namespace hone::data {
namespace {

const std::string kTools =
    R"([{"name": "get_weather", "description": "Get weather", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City name"}}, "required": ["city"]}}])";
const std::string kOneCall = R"({"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}})";
const std::string kTwoCalls =
    "[" + kOneCall + R"(, {"name": "get_time", "arguments": {"tz": "UTC"}}])";

std::string tools(ToolFormat format, const std::string& text = kTools) {
  return tools_text(format, text, "05 Nov 2026").text();
}

std::string calls(ToolFormat format, const std::string& content) {
  return bare_tool_call_text(format, content).text();
}
TEST(ToolFormat, WritesDefault) {
  EXPECT_EQ(tools(ToolFormat::plain),
            "You have access to the following tools:\n> Tool Name: get_weather\nTool Description: "
            "Get weather\nTool Args:\n  - city (string, required): City name\n\nUse the following "
            "format if using a tool:\n```\nAction: tool name (one of [get_weather])\nAction Input: "
            "the input to the tool, in a JSON format representing the kwargs (e.g. ```{\"input\": "
            "\"hello world\", \"num_beams\": 5}```)\n```\n");
  EXPECT_EQ(calls(ToolFormat::plain, kOneCall),
            "Action: get_weather\nAction Input: {\"city\": \"Oslo\", \"days\": 3}");
  EXPECT_EQ(calls(ToolFormat::plain, kTwoCalls),
            "Action: get_weather\nAction Input: {\"city\": \"Oslo\", \"days\": 3}\nAction: "
            "get_time\nAction Input: {\"tz\": \"UTC\"}");
  EXPECT_EQ(tools(ToolFormat::plain, "[]"), "");
  EXPECT_EQ(tool_format_from_name("default"), ToolFormat::plain);
  EXPECT_EQ(name(ToolFormat::plain), "default");
}

TEST(ToolFormat, WritesLlama3) {
  EXPECT_EQ(
      tools(ToolFormat::llama3),
      "Cutting Knowledge Date: December 2023\nToday Date: 05 Nov 2026\n\nYou have access to the "
      "following functions. To call a function, please respond with JSON for a function call. "
      "Respond in the format {\"name\": function name, \"parameters\": dictionary of argument name "
      "and its value}. Do not use variables.\n\n{\n    \"type\": \"function\",\n    \"function\": "
      "{\n        \"name\": \"get_weather\",\n        \"description\": \"Get weather\",\n        "
      "\"parameters\": {\n            \"type\": \"object\",\n            \"properties\": {\n       "
      "         \"city\": {\n                    \"type\": \"string\",\n                    "
      "\"description\": \"City name\"\n                }\n            },\n            "
      "\"required\": [\n                \"city\"\n            ]\n        }\n    }\n}\n\n");
  EXPECT_EQ(calls(ToolFormat::llama3, kOneCall),
            "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\", \"days\": 3}}");
  EXPECT_EQ(calls(ToolFormat::llama3, kTwoCalls),
            "[{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Oslo\", \"days\": 3}}, "
            "{\"name\": \"get_time\", \"parameters\": {\"tz\": \"UTC\"}}]");
  EXPECT_EQ(tools(ToolFormat::llama3, "[]"), "");
  EXPECT_EQ(tool_format_from_name("llama3"), ToolFormat::llama3);
  EXPECT_EQ(name(ToolFormat::llama3), "llama3");
}

TEST(ToolFormat, WritesMistral) {
  EXPECT_EQ(tools(ToolFormat::mistral),
            "[AVAILABLE_TOOLS] [{\"type\": \"function\", \"function\": {\"name\": \"get_weather\", "
            "\"description\": \"Get weather\", \"parameters\": {\"type\": \"object\", "
            "\"properties\": {\"city\": {\"type\": \"string\", \"description\": \"City name\"}}, "
            "\"required\": [\"city\"]}}}][/AVAILABLE_TOOLS]");
  EXPECT_EQ(calls(ToolFormat::mistral, kOneCall),
            "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 3}}]");
  EXPECT_EQ(calls(ToolFormat::mistral, kTwoCalls),
            "[{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 3}}, "
            "{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}]");
  EXPECT_EQ(tools(ToolFormat::mistral, "[]"), "");
  EXPECT_EQ(tool_format_from_name("mistral"), ToolFormat::mistral);
  EXPECT_EQ(name(ToolFormat::mistral), "mistral");
}

TEST(ToolFormat, WritesQwen) {
  EXPECT_EQ(
      tools(ToolFormat::qwen),
      "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
      "provided with function signatures within <tools></tools> XML tags:\n<tools>\n{\"type\": "
      "\"function\", \"function\": {\"name\": \"get_weather\", \"description\": \"Get weather\", "
      "\"parameters\": {\"type\": \"object\", \"properties\": {\"city\": {\"type\": \"string\", "
      "\"description\": \"City name\"}}, \"required\": [\"city\"]}}}\n</tools>\n\nFor each "
      "function call, return a json object with function name and arguments within "
      "<tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": "
      "<args-json-object>}\n</tool_call>");
  EXPECT_EQ(calls(ToolFormat::qwen, kOneCall),
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", "
            "\"days\": 3}}\n</tool_call>");
  EXPECT_EQ(calls(ToolFormat::qwen, kTwoCalls),
            "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\", "
            "\"days\": 3}}\n</tool_call>\n<tool_call>\n{\"name\": \"get_time\", \"arguments\": "
            "{\"tz\": \"UTC\"}}\n</tool_call>");
  EXPECT_EQ(tools(ToolFormat::qwen, "[]"), "");
  EXPECT_EQ(tool_format_from_name("qwen"), ToolFormat::qwen);
  EXPECT_EQ(name(ToolFormat::qwen), "qwen");
}

// What the recorded conversations do not show.
TEST(ToolFormat, Gemma4DescribesResponsesAndSortsKeys) {
  EXPECT_EQ(tools(ToolFormat::gemma4,
                  R"([{"name": "f", "response": {"type": "object", "description": "d"}}])"),
            "declaration:f{description:<|\"|><|\"|>,response:{description:<|\"|>d<|\"|>,"
            "type:<|\"|>OBJECT<|\"|>}}");
  EXPECT_EQ(
      calls(ToolFormat::gemma4,
            R"({"name": "f", "arguments": {"b": [1, "x", null], "a": {"d": 1.0, "c": true}}})"),
      "<|tool_call>call:f{a:{c:true,d:1.0},b:[1,<|\"|>x<|\"|>,null]}<tool_call|>");
  EXPECT_EQ(calls(ToolFormat::gemma4, R"({"name": "f", "arguments": "x:1"})"),
            "<|tool_call>call:f{x:1}<tool_call|>");
}

TEST(ToolFormat, RefusesArgumentsThatCannotBeSpelled) {
  for (const ToolFormat format : {ToolFormat::minimax2, ToolFormat::qwen3_5, ToolFormat::glm4_moe,
                                  ToolFormat::seed_oss, ToolFormat::lfm2}) {
    const std::string text = refusal([&] { calls(format, R"({"name": "f", "arguments": "x"})"); });
    EXPECT_NE(text.find("'arguments' is a string"), std::string::npos);
    EXPECT_NE(text.find("write the arguments as an object"), std::string::npos);
  }
  const std::string two = refusal([&] { calls(ToolFormat::glm4, kTwoCalls); });
  EXPECT_NE(two.find("2 calls, where the tool format glm4 writes one"), std::string::npos);
}

TEST(ToolFormat, TakesWrappedToolsAsWell) {
  const std::string wrapped =
      R"([{"type": "function", "function": )" + kTools.substr(1, kTools.size() - 2) + "}]";
  for (const ToolFormat format :
       {ToolFormat::plain, ToolFormat::llama3, ToolFormat::mistral, ToolFormat::qwen,
        ToolFormat::gemma4, ToolFormat::glm4, ToolFormat::lfm2, ToolFormat::minimax1}) {
    EXPECT_EQ(tools(format, wrapped), tools(format));
  }
}

TEST(ToolFormat, PlainListsChoicesAndItems) {
  const std::string text = tools(
      ToolFormat::plain,
      R"([{"name": "a", "parameters": {"properties": {"x": {"enum": ["p", "q"]}, "y": {"type": "array",
          "items": {"type": "integer"}}}}}, {"name": "b", "parameters": {"properties": {}}}])");
  EXPECT_NE(text.find("  - x (): , should be one of [p, q]\n"), std::string::npos);
  EXPECT_NE(text.find("  - y (array): , where each item should be integer\n"), std::string::npos);
  EXPECT_NE(text.find("(one of [a, b])"), std::string::npos);
  EXPECT_NE(text.find("> Tool Name: b\nTool Description: \nTool Args:\n\n"), std::string::npos);
}

TEST(ToolFormat, ArgumentsAreWrittenAsPythonWritesThem) {
  const std::string content =
      R"({"name":"f","arguments":{"a":1.0,"b":1e-7,"c":"é\n\"","d":[],"e":{"z":null,"y":true}}})";
  EXPECT_EQ(calls(ToolFormat::plain, content),
            "Action: f\nAction Input: {\"a\": 1.0, \"b\": 1e-07, \"c\": \"é\\n\\\"\", \"d\": [], "
            "\"e\": {\"z\": null, \"y\": true}}");
  EXPECT_EQ(calls(ToolFormat::plain, R"({"name": "f", "arguments": "x"})"),
            "Action: f\nAction Input: \"x\"");
}

const WordPair kThought = {"<think>\n", "\n</think>\n\n"};
const WordPair kCall = {"<tool_call>", "</tool_call>"};

std::string wrapped_call(const std::string& content) {
  return tool_call_text(ToolFormat::mistral, content, kThought, kCall).text();
}

TEST(ToolFormat, CallsMayStandInWordsOrBehindAThought) {
  const std::string json = R"({"name": "f", "arguments": {}})";
  const std::string call = "[" + json + "]";
  EXPECT_EQ(wrapped_call(json), call);
  EXPECT_EQ(wrapped_call("hm <tool_call>" + json + "</tool_call> so"), "hm  so" + call);
  EXPECT_EQ(wrapped_call("<think>\nhm\n</think>\n\n" + json), "<think>\nhm\n</think>\n\n" + call);
  EXPECT_EQ(wrapped_call("<think>\nhm\n</think>\n\n<tool_call>" + json + "</tool_call>"),
            "<think>\nhm\n</think>\n\n" + call);
  // Every copy of the matched call goes.
  const std::string words = "<tool_call>" + json + "</tool_call>";
  EXPECT_EQ(wrapped_call(words + "|" + words), "|" + call);
}

TEST(ToolFormat, OnlyTheRecordsPartsCountAsUserText) {
  const MarkedText text = tools_text(ToolFormat::mistral, kTools, "");
  ASSERT_EQ(text.user_ranges().size(), 1U);
  EXPECT_EQ(text.text().substr(0, text.user_ranges()[0].begin), "[AVAILABLE_TOOLS] ");
  EXPECT_EQ(text.text().substr(text.user_ranges()[0].end), "[/AVAILABLE_TOOLS]");
}

std::string refused_tools(const std::string& text) {
  return refusal([&] { tools(ToolFormat::plain, text); });
}

TEST(ToolFormat, RefusesToolTextThatIsNoListOfFunctions) {
  EXPECT_NE(refused_tools("{x").find("a tool description: {x"), std::string::npos);
  EXPECT_NE(refused_tools("{x").find("no JSON"), std::string::npos);
  EXPECT_NE(refused_tools("{}").find("an object where a list belongs"), std::string::npos);
  EXPECT_NE(refused_tools("[1]").find("an item of the list is no object"), std::string::npos);
  EXPECT_NE(refused_tools("[{}]").find("'name' is missing or no string"), std::string::npos);
  EXPECT_NE(refused_tools(R"([{"name": "f"}])").find("'parameters' is missing or no object"),
            std::string::npos);
  EXPECT_NE(refused_tools(R"([{"name": "f", "parameters": {}}])")
                .find("'properties' is missing or no object"),
            std::string::npos);
  EXPECT_NE(refused_tools(R"([{"name": "f", "parameters": {"properties": {"x": {"enum": 7}}}}])")
                .find("it is no list"),
            std::string::npos);
}

std::string refused_call(const std::string& content) {
  return refusal([&] { calls(ToolFormat::qwen, content); });
}

TEST(ToolFormat, RefusesCallsThatAreNone) {
  EXPECT_NE(refused_call("call f").find("a tool call in a function message: call f"),
            std::string::npos);
  EXPECT_NE(refused_call("call f").find("no JSON"), std::string::npos);
  EXPECT_NE(refused_call("7").find("a whole number where a call belongs"), std::string::npos);
  EXPECT_NE(refused_call(R"({"arguments": {}})").find("'name' is missing or no string"),
            std::string::npos);
  EXPECT_NE(refused_call(R"({"name": "f"})").find("'arguments' is missing"), std::string::npos);
  EXPECT_NE(refused_call(R"({"name": "f", "arguments": {"x": [123456789012345678901]}})")
                .find("a number beyond 64 bits"),
            std::string::npos);
}

TEST(ToolFormat, RefusesUnknownNames) {
  const auto refused = [](const char* format) {
    return refusal([&] { tool_format_from_name(format); });
  };
  EXPECT_NE(refused("phi4_mini").find("use one of default, gemma4, glm4"), std::string::npos);
  EXPECT_NE(refused("qwem").find("no such tool format (did you mean 'qwen'?)"), std::string::npos);
}

TEST(ToolFormat, OverridesTheTemplatesOwn) {
  Conversation conversation = talk({"q", R"({"name": "f", "arguments": {}})"});
  conversation.messages[1].role = Role::function;
  conversation.tools = kTools;
  const Template made = make_template("mistral", {.tool_format = "default"});
  // The fused template shows tools in the first user text.
  const auto [prompt, response] = made.render_oneturn(b256(), conversation);
  EXPECT_NE(prompt.find("[INST] You have access to the following tools"), std::string::npos);
  EXPECT_EQ(response, "Action: f\nAction Input: {}<|endoftext|>");
  EXPECT_THROW(make_template("mistral", {.tool_format = "none"}), UserError);
}

TEST(ToolFormat, ToolsFollowTheSystemTextDirectly) {
  Conversation conversation = talk({"q", "a"}, "S");
  conversation.tools = kTools;
  EXPECT_EQ(make_template("qwen")
                .render_oneturn(b256(), conversation)
                .first.find("<|im_start|>system\nS\n\n# Tools\n\n"),
            0U);
  // A list without tools still makes a system block.
  conversation = talk({"q", "a"});
  conversation.tools = "[]";
  EXPECT_EQ(make_template("chatml")
                .render_oneturn(b256(), conversation)
                .first.find("<|im_start|>system\n<|im_end|>\n"),
            0U);
}

}  // namespace
}  // namespace hone::data
