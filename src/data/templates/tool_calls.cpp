#include "data/templates/tool_calls.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/json_text.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Member;
using formats::Object;
using formats::Value;

[[noreturn]] void refuse(std::string_view content, std::string found, std::string remedy) {
  throw UserError(
      {fmt::format("a tool call in a function message: {}", formats::printable(content)),
       std::move(found), std::move(remedy)});
}

// Formats that write each argument between marks: strings as they are, all else as JSON.
struct SpelledCall {
  ToolFormat format;
  std::string_view open;  // before the name
  std::string_view after_name;
  std::string_view before_key;
  std::string_view after_key;
  std::string_view after_value;
  std::string_view close;
};

constexpr SpelledCall kSpelled[] = {
    {ToolFormat::minimax2, "<invoke name=\"", "\">", "\n<parameter name=\"", "\">", "</parameter>",
     "\n</invoke>"},
    {ToolFormat::qwen3_5, "<tool_call>\n<function=", ">", "\n<parameter=", ">\n", "\n</parameter>",
     "\n</function>\n</tool_call>"},
    {ToolFormat::glm4_moe, "\n<tool_call>", "", "\n<arg_key>", "</arg_key>\n<arg_value>",
     "</arg_value>", ""},
    {ToolFormat::seed_oss, "\n<seed:tool_call>\n<function=", "", "\n<parameter=", ">",
     "</parameter>", "\n</function>\n</seed:tool_call>"},
};

const Object& arguments_of(const ToolCall& call, std::string_view content) {
  const Object* arguments = call.arguments.get_object();
  if (arguments == nullptr) {
    refuse(content, fmt::format("'arguments' is {}", describe(call.arguments.kind())),
           "write the arguments as an object: {\"name\": ..., \"arguments\": {...}}");
  }
  return *arguments;
}

MarkedText spelled_call(const SpelledCall& style, const ToolCall& call, std::string_view content) {
  MarkedText text = MarkedText::own(style.open);
  text.append_user(call.name).append_own(style.after_name);
  for (const Member& argument : arguments_of(call, content)) {
    const std::string* plain = argument.value.get_string();
    text.append_own(style.before_key).append_user(argument.key).append_own(style.after_key);
    text.append_user(plain != nullptr ? *plain : json_text(argument.value));
    text.append_own(style.after_value);
  }
  return text.append_own(style.close);
}

std::string call_object(const ToolCall& call, std::string_view arguments_key) {
  return json_text(Object{{"name", call.name}, {std::string(arguments_key), call.arguments}});
}

// One call as an object, several as a list.
MarkedText calls_as_json(const std::vector<ToolCall>& calls, std::string_view arguments_key,
                         bool always_list) {
  std::string text;
  for (const ToolCall& call : calls) {
    if (!text.empty()) text += ", ";
    text += call_object(call, arguments_key);
  }
  return MarkedText::user(calls.size() == 1 && !always_list ? text : "[" + text + "]");
}

MarkedText plain_call(const ToolCall& call) {
  MarkedText text = MarkedText::own("Action: ");
  text.append_user(call.name).append_own("\nAction Input: ");
  return text.append_user(json_text(call.arguments));
}

MarkedText tagged_call(const ToolCall& call) {
  MarkedText text = MarkedText::own("<tool_call>\n");
  return text.append_user(call_object(call, "arguments")).append_own("\n</tool_call>");
}

MarkedText lfm2_call(const ToolCall& call, std::string_view content) {
  MarkedText text = MarkedText::user(call.name);
  text.append_own("(");
  bool first = true;
  for (const Member& argument : arguments_of(call, content)) {
    if (!first) text.append_own(", ");
    first = false;
    const std::string* plain = argument.value.get_string();
    text.append_user(argument.key).append_own("=");
    text.append_user(plain != nullptr ? "\"" + *plain + "\"" : json_text(argument.value));
  }
  return text.append_own(")");
}

// LLaMA-Factory sorts the keys, at every depth.
Object sorted_members(Object members) {
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.key < b.key; });
  return members;
}

MarkedText gemma4_value(const Value& value);

MarkedText gemma4_members(const Object& object) {
  MarkedText text;
  for (const Member& member : sorted_members(object)) {
    if (!text.empty()) text.append_own(",");
    text.append_user(member.key).append_own(":").append(gemma4_value(member.value));
  }
  return text;
}

MarkedText gemma4_value(const Value& value) {
  constexpr std::string_view kQuote = "<|\"|>";
  if (value.is_string()) {
    return MarkedText::own(kQuote).append_user(value.string()).append_own(kQuote);
  }
  if (value.is_object()) {
    return MarkedText::own("{").append(gemma4_members(value.object())).append_own("}");
  }
  if (!value.is_array()) return MarkedText::user(json_text(value));
  MarkedText text = MarkedText::own("[");
  for (std::size_t i = 0; i < value.array().size(); ++i) {
    if (i > 0) text.append_own(",");
    text.append(gemma4_value(value.array()[i]));
  }
  return text.append_own("]");
}

MarkedText gemma4_call(const ToolCall& call) {
  MarkedText text = MarkedText::own("<|tool_call>call:");
  text.append_user(call.name).append_own("{");
  if (call.arguments.is_object()) {
    text.append(gemma4_members(call.arguments.object()));
  } else if (call.arguments.is_string()) {
    text.append_user(call.arguments.string());
  } else {
    text.append(gemma4_value(call.arguments));
  }
  return text.append_own("}<tool_call|>");
}

MarkedText one_call(ToolFormat format, const ToolCall& call, std::string_view content) {
  for (const SpelledCall& style : kSpelled) {
    if (style.format == format) return spelled_call(style, call, content);
  }
  switch (format) {
    case ToolFormat::plain:
    case ToolFormat::phi4_mini:
      return plain_call(call);
    case ToolFormat::qwen:
    case ToolFormat::ling:
      return tagged_call(call);
    case ToolFormat::minimax1:
      return MarkedText::user(call_object(call, "arguments"));
    case ToolFormat::glm4:
      return MarkedText::user(call.name).append_own("\n").append_user(json_text(call.arguments));
    case ToolFormat::lfm2:
      return lfm2_call(call, content);
    case ToolFormat::gemma4:
      return gemma4_call(call);
    default:
      HONE_ASSERT(false, static_cast<int>(format));
      return {};
  }
}

struct Around {
  std::string_view before;
  std::string_view between;
  std::string_view after;
};

Around around(ToolFormat format) {
  switch (format) {
    case ToolFormat::lfm2:
      return {"<|tool_call_start|>[", ", ", "]<|tool_call_end|>"};
    case ToolFormat::minimax1:
      return {"<tool_calls>\n", "\n", "\n</tool_calls>"};
    case ToolFormat::gemma4:
      return {"", "", ""};
    default:
      return {"", "\n", ""};
  }
}

}  // namespace

MarkedText tool_calls_text(ToolFormat format, const std::vector<ToolCall>& calls,
                           std::string_view content) {
  if (format == ToolFormat::llama3) return calls_as_json(calls, "parameters", false);
  if (format == ToolFormat::mistral) return calls_as_json(calls, "arguments", true);
  if (format == ToolFormat::glm4 && calls.size() != 1) {
    refuse(content, fmt::format("{} calls, where the tool format glm4 writes one", calls.size()),
           "write one call per message, or use another template");
  }
  const Around marks = around(format);
  MarkedText text = MarkedText::own(marks.before);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i > 0) text.append_own(marks.between);
    text.append(one_call(format, calls[i], content));
  }
  return text.append_own(marks.after);
}

}  // namespace hone::data
