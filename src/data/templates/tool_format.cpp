#include "data/templates/tool_format.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/templates/tool_json.h"
#include "data/tokenizer/json_text.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

struct NamedFormat {
  std::string_view name;
  ToolFormat format;
};

constexpr std::array<NamedFormat, 4> kFormats = {{{"default", ToolFormat::plain},
                                                  {"llama3", ToolFormat::llama3},
                                                  {"mistral", ToolFormat::mistral},
                                                  {"qwen", ToolFormat::qwen}}};

constexpr std::array<std::string_view, 9> kFormatsElsewhere = {
    "gemma4", "glm4", "lfm2", "minimax1", "minimax2", "qwen3_5", "glm4_moe", "seed_oss", "ling"};

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
constexpr std::string_view kQwenIntroduction =
    "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are "
    "provided with function signatures within <tools></tools> XML tags:\n<tools>";
constexpr std::string_view kQwenUse =
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments "
    "within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, "
    "\"arguments\": <args-json-object>}\n</tool_call>";

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

MarkedText llama3_tools(const Array& tools, std::string_view today) {
  MarkedText text = MarkedText::own(fmt::format(fmt::runtime(kLlama3Introduction), today));
  constexpr int kIndent = 4;
  for (const Value& tool : tools) {
    text.append_user(json_text_indented(wrapped_function(tool), kIndent)).append_own("\n\n");
  }
  return text;
}

MarkedText mistral_tools(const Array& tools) {
  Array wrapped;
  for (const Value& tool : tools) wrapped.push_back(wrapped_function(tool));
  MarkedText text = MarkedText::own("[AVAILABLE_TOOLS] ");
  return text.append_user(json_text(wrapped)).append_own("[/AVAILABLE_TOOLS]");
}

MarkedText qwen_tools(const Array& tools) {
  MarkedText text = MarkedText::own(kQwenIntroduction);
  for (const Value& tool : tools) {
    text.append_own("\n").append_user(json_text(wrapped_function(tool)));
  }
  return text.append_own(kQwenUse);
}

Value call_object(const ToolCall& call, std::string_view arguments_key) {
  return Object{{"name", call.name}, {std::string(arguments_key), call.arguments}};
}

// One call as an object, several as a list.
MarkedText calls_as_json(const std::vector<ToolCall>& calls, std::string_view arguments_key,
                         bool always_list) {
  Array list;
  for (const ToolCall& call : calls) list.push_back(call_object(call, arguments_key));
  if (list.size() == 1 && !always_list) return MarkedText::user(json_text(list.front()));
  return MarkedText::user(json_text(list));
}

MarkedText calls_text(ToolFormat format, const std::vector<ToolCall>& calls) {
  MarkedText text;
  switch (format) {
    case ToolFormat::llama3:
      return calls_as_json(calls, "parameters", false);
    case ToolFormat::mistral:
      return calls_as_json(calls, "arguments", true);
    case ToolFormat::plain:
      for (const ToolCall& call : calls) {
        text.append_own(text.empty() ? "Action: " : "\nAction: ").append_user(call.name);
        text.append_own("\nAction Input: ").append_user(json_text(call.arguments));
      }
      return text;
    case ToolFormat::qwen:
      for (const ToolCall& call : calls) {
        text.append_own(text.empty() ? "<tool_call>\n" : "\n<tool_call>\n");
        text.append_user(json_text(call_object(call, "arguments"))).append_own("\n</tool_call>");
      }
      return text;
  }
  HONE_ASSERT(false, static_cast<int>(format));
  return text;
}

// The first "open ... close", shortest; offset and the text between.
struct Enclosed {
  std::string whole;
  std::string inner;
};

bool find_enclosed(const std::string& text, const WordPair& words, Enclosed& found) {
  const std::size_t open = text.find(words.open);
  if (open == std::string::npos) return false;
  const std::size_t inner = open + words.open.size();
  const std::size_t close = text.find(words.close, inner);
  if (close == std::string::npos) return false;
  found.inner = text.substr(inner, close - inner);
  found.whole = text.substr(open, close + words.close.size() - open);
  return true;
}

std::string without(const std::string& text, const std::string& part) {
  std::string rest;
  std::size_t done = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, done)) {
    rest.append(text, done, at - done);
    done = at + part.size();
  }
  return rest.append(text, done);
}

}  // namespace

std::string_view name(ToolFormat format) {
  for (const NamedFormat& named : kFormats) {
    if (named.format == format) return named.name;
  }
  HONE_ASSERT(false, static_cast<int>(format));
  return {};
}

ToolFormat tool_format_from_name(std::string_view name) {
  std::vector<std::string> known;
  for (const NamedFormat& named : kFormats) {
    if (named.name == name) return named.format;
    known.emplace_back(named.name);
  }
  const std::string asked = fmt::format("tool_format: '{}'", formats::printable(name));
  for (const std::string_view other : kFormatsElsewhere) {
    if (other == name) {
      throw UserError({asked, "LLaMA-Factory has this tool format, hone does not yet",
                       fmt::format("use one of {}", joined(known, ", "))});
    }
  }
  throw UserError({asked, fmt::format("no such tool format{}", did_you_mean(name, known)),
                   fmt::format("use one of {}", joined(known, ", "))});
}

MarkedText tools_text(ToolFormat format, std::string_view tools, std::string_view today) {
  const Array list = parse_tools(tools);
  if (list.empty()) return {};
  switch (format) {
    case ToolFormat::plain:
      return plain_tools(list);
    case ToolFormat::llama3:
      return llama3_tools(list, today);
    case ToolFormat::mistral:
      return mistral_tools(list);
    case ToolFormat::qwen:
      return qwen_tools(list);
  }
  HONE_ASSERT(false, static_cast<int>(format));
  return {};
}

MarkedText bare_tool_call_text(ToolFormat format, const std::string& content) {
  return calls_text(format, parse_tool_calls(content, content));
}

MarkedText tool_call_text(ToolFormat format, const std::string& content, const WordPair& thought,
                          const WordPair& tool_call) {
  Enclosed found;
  if (find_enclosed(content, tool_call, found)) {
    return MarkedText::user(without(content, found.whole))
        .append(calls_text(format, parse_tool_calls(found.inner, content)));
  }
  if (find_enclosed(content, thought, found)) {
    return MarkedText::user(found.whole)
        .append(calls_text(format, parse_tool_calls(without(content, found.whole), content)));
  }
  return bare_tool_call_text(format, content);
}

}  // namespace hone::data
