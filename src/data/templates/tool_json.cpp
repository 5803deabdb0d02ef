#include "data/templates/tool_json.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/json_text.h"
#include "formats/json.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

constexpr std::string_view kToolRemedy =
    "write a JSON list of functions: [{\"name\": ..., \"description\": ..., \"parameters\": "
    "{\"type\": \"object\", \"properties\": {...}}}]";
constexpr std::string_view kCallRemedy =
    "write a JSON object {\"name\": ..., \"arguments\": {...}}, or a list of them";

[[noreturn]] void refuse_tools(std::string_view shown, std::string found) {
  throw UserError({fmt::format("a tool description: {}", formats::printable(shown)),
                   std::move(found), std::string(kToolRemedy)});
}

[[noreturn]] void refuse_call(std::string_view content, std::string found) {
  throw UserError(
      {fmt::format("a tool call in a function message: {}", formats::printable(content)),
       std::move(found), std::string(kCallRemedy)});
}

// A number that had more digits than f64 or 64 bits hold was rounded when it was read.
bool has_rounded_number(const Value& value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  switch (value.kind()) {
    case Value::Kind::number:
      return std::abs(value.number()) >= kTwoTo63;
    case Value::Kind::array:
      for (const Value& item : value.array()) {
        if (has_rounded_number(item)) return true;
      }
      return false;
    case Value::Kind::object:
      for (const formats::Member& member : value.object()) {
        if (has_rounded_number(member.value)) return true;
      }
      return false;
    default:
      return false;
  }
}

constexpr std::string_view kTooLarge =
    "a number beyond 64 bits, which cannot be written back exactly";

ToolCall read_call(const Value& value, std::string_view content) {
  if (!value.is_object()) {
    refuse_call(content, fmt::format("{} where a call belongs", describe(value.kind())));
  }
  const Value* name = value.find("name");
  const Value* arguments = value.find("arguments");
  if (name == nullptr || !name->is_string()) refuse_call(content, "'name' is missing or no string");
  if (arguments == nullptr) refuse_call(content, "'arguments' is missing");
  if (has_rounded_number(*arguments)) refuse_call(content, std::string(kTooLarge));
  return {name->string(), *arguments};
}

bool is_wrapped(const Value& tool) {
  const Value* type = tool.find("type");
  return type != nullptr && *type == Value("function") && tool.find("function") != nullptr;
}

}  // namespace

Array parse_tools(std::string_view tools) {
  Value parsed;
  try {
    parsed = formats::parse_json(tools, "the tool description");
  } catch (const UserError& error) {
    refuse_tools(tools, fmt::format("no JSON: {}", error.faults().front().found));
  }
  if (!parsed.is_array()) {
    refuse_tools(tools, fmt::format("{} where a list belongs", describe(parsed.kind())));
  }
  for (const Value& tool : parsed.array()) {
    if (!tool.is_object() || !bare_function(tool).is_object()) {
      refuse_tools(tools, "an item of the list is no object");
    }
  }
  if (has_rounded_number(parsed)) refuse_tools(tools, std::string(kTooLarge));
  return std::move(parsed.array());
}

std::vector<ToolCall> parse_tool_calls(std::string_view json, std::string_view content) {
  Value parsed;
  try {
    parsed = formats::parse_json(json, "the function message");
  } catch (const UserError& error) {
    refuse_call(content, fmt::format("no JSON: {}", error.faults().front().found));
  }
  std::vector<ToolCall> calls;
  if (const Array* list = parsed.get_array()) {
    for (const Value& value : *list) calls.push_back(read_call(value, content));
  } else {
    calls.push_back(read_call(parsed, content));
  }
  return calls;
}

const Value& bare_function(const Value& tool) {
  return is_wrapped(tool) ? *tool.find("function") : tool;
}

Value wrapped_function(const Value& tool) {
  const Value* type = tool.find("type");
  if (type != nullptr && *type == Value("function")) return tool;
  return Object{{"type", "function"}, {"function", tool}};
}

const Value& tool_member(const Value& tool, std::string_view key) {
  const Value* found = tool.find(key);
  const bool fits = found != nullptr && (key == "name" ? found->is_string() : found->is_object());
  if (!fits) {
    refuse_tools(json_text(tool),
                 fmt::format("'{}' is missing or no {}", key, key == "name" ? "string" : "object"));
  }
  return *found;
}

std::string text_member(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr) return {};
  return found->is_string() ? found->string() : json_text(*found);
}

const Value* filled_member(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr || found->is_null()) return nullptr;
  const bool empty = (found->is_array() && found->array().empty()) ||
                     (found->is_object() && found->object().empty()) ||
                     (found->is_string() && found->string().empty()) || *found == Value(false);
  return empty ? nullptr : found;
}

std::vector<std::string> texts_of(const Value& list) {
  if (!list.is_array()) refuse_tools(json_text(list), "it is no list");
  std::vector<std::string> texts;
  for (const Value& item : list.array()) {
    texts.push_back(item.is_string() ? item.string() : json_text(item));
  }
  return texts;
}

bool names_required(const Value& parameters, const std::string& name) {
  const Value* required = parameters.find("required");
  if (required == nullptr || !required->is_array()) return false;
  for (const Value& item : required->array()) {
    if (item == Value(name)) return true;
  }
  return false;
}

}  // namespace hone::data
