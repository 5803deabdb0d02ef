#include "data/templates/tool_description.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "data/templates/tool_json.h"
#include "data/tokenizer/json_text.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Value;

// The texts below are protocol data: models were trained on exactly these bytes.
constexpr std::string_view kPlainIntroduction = "You have access to the following tools:\n";
constexpr std::string_view kPlainUse =
    "Use the following format if using a tool:\n```\nAction: tool name (one of [{}])\nAction "
    "Input: "
    "the input to the tool, in a JSON format representing the kwargs (e.g. ```{{\"input\": \"hello "
    "world\", \"num_beams\": 5}}```)\n```\n";
constexpr std::string_view kLlama3Introduction =
    "Cutting Knowledge Date: December 2023\nToday Date: {}\n\nYou have access to the following "
    "functions. To call a function, please respond with JSON for a function call. Respond in the "
    "format {{\"name\": function name, \"parameters\": dictionary of argument name and its "
    "value}}. "
    "Do not use variables.\n\n";
constexpr std::string_view kGlm4Introduction =
    "你是一个名为 ChatGLM 的人工智能助手。你是基于智谱 AI 公司训练的语言模型 GLM-4 模型开发的，"
    "你的任务是针对用户的问题和要求提供适当的答复和支持。\n\n# 可用工具";
constexpr std::string_view kGlm4Use = "\n在调用上述函数时，请使用 Json 格式表示调用的参数。";
constexpr std::string_view kSeedIntroduction =
    "system\nYou are Doubao, a helpful AI assistant. You may call one or more functions to assist "
    "with the user query.Tool List:\nYou are authorized to use the following tools (described in "
    "JSON Schema format). Before performing any task, you must decide how to call them based on "
    "the descriptions and parameters of these tools.\n";
constexpr std::string_view kSeedUse =
    "\n工具调用请遵循如下格式:\n<seed:tool_call>\n<function=example_function_name>\n"
    "<parameter=example_parameter_1>value_1</parameter>\n<parameter=example_parameter_2>This is "
    "the value for the second parameter\nthat can span\nmultiple lines</parameter>\n</function>\n"
    "</seed:tool_call>\n";

// Formats that write one line of JSON per tool between an introduction and the way of use.
struct ListedTools {
  ToolFormat format;
  std::string_view introduction;
  bool wrapped;  // as {"type": "function", "function": ...}
  std::string_view before;
  std::string_view after;
  std::string_view use;
};

constexpr std::string_view kJsonCallUse =
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments "
    "within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, "
    "\"arguments\": <args-json-object>}\n</tool_call>";

constexpr ListedTools kListed[] = {
    {ToolFormat::qwen,
     "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
     "provided with function signatures within <tools></tools> XML tags:\n<tools>",
     true, "\n", "", kJsonCallUse},
    {ToolFormat::ling,
     "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
     "provided with function signatures within <tools></tools> XML tags:\n<tools>",
     true, "\n", "",
     "\n</tools>\n\nFor each function call, return a json object with function name and arguments "
     "within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, "
     "\"arguments\": <args-json-object>}\n</tool_call>\ndetailed thinking off"},
    {ToolFormat::glm4_moe,
     "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
     "provided with function signatures within <tools></tools> XML tags:\n<tools>",
     true, "\n", "",
     "\n</tools>\n\nFor each function call, output the function name and arguments within the "
     "following XML format:\n<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n"
     "<arg_value>{arg-value-1}</arg_value>\n<arg_key>{arg-key-2}</arg_key>\n"
     "<arg_value>{arg-value-2}</arg_value>\n...\n</tool_call>\n"},
    {ToolFormat::qwen3_5, "\n\n# Tools\n\nYou have access to the following functions:\n\n<tools>",
     false, "\n", "",
     "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO "
     "suffix:\n\n<tool_call>\n<function=example_function_name>\n<parameter=example_parameter_1>\n"
     "value_1\n</parameter>\n<parameter=example_parameter_2>\nThis is the value for the second "
     "parameter\nthat can span\nmultiple lines\n</parameter>\n</function>\n</tool_call>\n\n"
     "<IMPORTANT>\nReminder:\n- Function calls MUST follow the specified format: an inner "
     "<function=...></function> block must be nested within <tool_call></tool_call> XML tags\n"
     "- Required parameters MUST be specified\n- You may provide optional reasoning for your "
     "function call in natural language BEFORE the function call, but NOT after\n- If there is no "
     "function call available, answer the question like normal with your current knowledge and do "
     "not tell the user about function calls\n</IMPORTANT>"},
    {ToolFormat::minimax1, "You are provided with these tools:\n<tools>\n", false, "", "\n",
     "</tools>\n\nIf you need to call tools, please respond with <tool_calls></tool_calls> XML "
     "tags, and provide tool-name and json-object of arguments, following the format below:\n"
     "<tool_calls>\n{\"name\": <tool-name-1>, \"arguments\": <args-json-object-1>}\n...\n"
     "</tool_calls>"},
    {ToolFormat::minimax2,
     "\n\n# Tools\n\nYou may call one or more tools to assist with the user query.\nHere are the "
     "tools available in JSONSchema format:\n\n<tools>\n",
     false, "<tool>", "</tool>\n",
     "</tools>\n\nWhen making tool calls, use XML format to invoke tools and pass parameters:\n\n"
     "<minimax:tool_call>\n<invoke name=\"tool-name-1\">\n<parameter name=\"param-key-1\">"
     "param-value-1</parameter>\n<parameter name=\"param-key-2\">param-value-2</parameter>\n...\n"
     "</invoke>\n</minimax:tool_call>"},
};

MarkedText listed_tools(const ListedTools& style, const Array& tools) {
  MarkedText text = MarkedText::own(style.introduction);
  for (const Value& tool : tools) {
    text.append_own(style.before);
    text.append_user(json_text(style.wrapped ? wrapped_function(tool) : bare_function(tool)));
    text.append_own(style.after);
  }
  return text.append_own(style.use);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

// One line per parameter of a tool.
std::string plain_parameters(const Value& parameters) {
  std::string text;
  for (const formats::Member& entry : tool_member(parameters, "properties").object()) {
    const Value& parameter = entry.value;
    std::string notes;
    if (names_required(parameters, entry.key)) notes = ", required";
    std::string rest = text_member(parameter, "description");
    if (const Value* choices = filled_member(parameter, "enum")) {
      rest += fmt::format(", should be one of [{}]", joined(texts_of(*choices), ", "));
    }
    if (const Value* items = filled_member(parameter, "items")) {
      rest += fmt::format(", where each item should be {}", text_member(*items, "type"));
    }
    text +=
        fmt::format("  - {} ({}{}): {}\n", entry.key, text_member(parameter, "type"), notes, rest);
  }
  return text;
}

MarkedText plain_tools(const Array& tools) {
  MarkedText text = MarkedText::own(kPlainIntroduction);
  std::vector<std::string> names;
  for (const Value& tool : tools) {
    const Value& function = bare_function(tool);
    names.push_back(tool_member(function, "name").string());
    text.append_own("> Tool Name: ").append_user(names.back());
    text.append_own("\nTool Description: ").append_user(text_member(function, "description"));
    text.append_own("\nTool Args:\n");
    text.append_user(plain_parameters(tool_member(function, "parameters")));
    text.append_own("\n");
  }
  const std::string use = fmt::format(fmt::runtime(kPlainUse), joined(names, ", "));
  return text.append_user(use);
}

constexpr int kIndent = 4;

MarkedText llama3_tools(const Array& tools, std::string_view today) {
  MarkedText text = MarkedText::own(fmt::format(fmt::runtime(kLlama3Introduction), today));
  for (const Value& tool : tools) {
    text.append_user(json_text_indented(wrapped_function(tool), kIndent)).append_own("\n\n");
  }
  return text;
}

MarkedText glm4_tools(const Array& tools) {
  MarkedText text = MarkedText::own(kGlm4Introduction);
  for (const Value& tool : tools) {
    const Value& function = bare_function(tool);
    text.append_own("\n\n## ").append_user(tool_member(function, "name").string());
    text.append_own("\n\n").append_user(json_text_indented(function, kIndent));
    text.append_own(kGlm4Use);
  }
  return text;
}

MarkedText mistral_tools(const Array& tools) {
  Array wrapped;
  for (const Value& tool : tools) wrapped.push_back(wrapped_function(tool));
  MarkedText text = MarkedText::own("[AVAILABLE_TOOLS] ");
  return text.append_user(json_text(wrapped)).append_own("[/AVAILABLE_TOOLS]");
}

MarkedText lfm2_tools(const Array& tools) {
  Array bare;
  for (const Value& tool : tools) bare.push_back(bare_function(tool));
  MarkedText text = MarkedText::own("List of tools: <|tool_list_start|>");
  return text.append_user(json_text(bare)).append_own("<|tool_list_end|>");
}

constexpr std::string_view kQuote = "<|\"|>";

// Fields of a gemma4 object: "a:..,b:..". Names and punctuation are the format's, values the
// record's.
class Gemma4Fields {
 public:
  MarkedText& next(std::string_view name) {
    if (!text_.empty()) text_.append_own(",");
    return text_.append_own(name);
  }
  void quoted(std::string_view name, std::string_view value) {
    next(name).append_own(":").append_own(kQuote).append_user(value).append_own(kQuote);
  }
  void nested(std::string_view name, const MarkedText& inner, std::string_view open = ":{",
              std::string_view close = "}") {
    next(name).append_own(open).append(inner).append_own(close);
  }
  const MarkedText& text() const { return text_; }

 private:
  MarkedText text_;
};

// Types are written in capitals.
std::string capital_type(const Value& schema) {
  std::string type = text_member(schema, "type");
  for (char& letter : type) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return type;
}

MarkedText gemma4_properties(const Value& properties) {
  MarkedText text;
  for (const formats::Member& property : properties.object()) {
    Gemma4Fields fields;
    if (filled_member(property.value, "description") != nullptr) {
      fields.quoted("description", text_member(property.value, "description"));
    }
    if (filled_member(property.value, "type") != nullptr) {
      fields.quoted("type", capital_type(property.value));
    }
    if (!text.empty()) text.append_own(",");
    text.append_user(property.key).append_own(":{").append(fields.text()).append_own("}");
  }
  return text;
}

MarkedText gemma4_parameters(const Value& parameters) {
  Gemma4Fields fields;
  if (filled_member(parameters, "properties") != nullptr) {
    fields.nested("properties", gemma4_properties(tool_member(parameters, "properties")));
  }
  if (const Value* required = filled_member(parameters, "required")) {
    MarkedText names;
    for (const std::string& name : texts_of(*required)) {
      if (!names.empty()) names.append_own(",");
      names.append_own(kQuote).append_user(name).append_own(kQuote);
    }
    fields.nested("required", names, ":[", "]");
  }
  if (filled_member(parameters, "type") != nullptr) fields.quoted("type", capital_type(parameters));
  return fields.text();
}

MarkedText gemma4_tool(const Value& tool) {
  const Value& function = bare_function(tool);
  Gemma4Fields fields;
  fields.quoted("description", text_member(function, "description"));
  if (const Value* parameters = filled_member(function, "parameters")) {
    fields.nested("parameters", gemma4_parameters(*parameters));
  }
  if (const Value* response = filled_member(function, "response")) {
    Gemma4Fields answer;
    if (filled_member(*response, "description") != nullptr) {
      answer.quoted("description", text_member(*response, "description"));
    }
    if (capital_type(*response) == "OBJECT") answer.quoted("type", "OBJECT");
    fields.nested("response", answer.text());
  }
  MarkedText text = MarkedText::own("declaration:");
  text.append_user(tool_member(function, "name").string());
  return text.append_own("{").append(fields.text()).append_own("}");
}

MarkedText gemma4_tools(const Array& tools) {
  MarkedText text;
  for (const Value& tool : tools) {
    if (!text.empty()) text.append_own("\n");
    text.append(gemma4_tool(tool));
  }
  return text;
}

}  // namespace

MarkedText tool_description(ToolFormat format, const Array& tools, std::string_view today) {
  for (const ListedTools& style : kListed) {
    if (style.format == format) return listed_tools(style, tools);
  }
  switch (format) {
    case ToolFormat::plain:
      return plain_tools(tools);
    case ToolFormat::llama3:
      return llama3_tools(tools, today);
    case ToolFormat::mistral:
      return mistral_tools(tools);
    case ToolFormat::glm4:
      return glm4_tools(tools);
    case ToolFormat::lfm2:
      return lfm2_tools(tools);
    case ToolFormat::gemma4:
      return gemma4_tools(tools);
    case ToolFormat::seed_oss:
      return MarkedText::own(kSeedIntroduction).append_user(json_text(tools)).append_own(kSeedUse);
    default:
      HONE_ASSERT(false, static_cast<int>(format));
      return {};
  }
}

}  // namespace hone::data
