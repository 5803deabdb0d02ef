// The JSON inside tool descriptions and tool calls, read with errors that show the record's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/value.h"

namespace hone::data {

struct ToolCall {
  std::string name;
  formats::Value arguments;  // an object in the usual case
};

// A list of tool descriptions. UserError for anything else.
formats::Array parse_tools(std::string_view tools);

// One call or a list of them, from `json`; `content` is the message, for errors. UserError when it
// is not JSON, when `name` or `arguments` is missing, and for numbers that cannot be written back
// exactly (whole numbers beyond 64 bits).
std::vector<ToolCall> parse_tool_calls(std::string_view json, std::string_view content);

// The function inside {"type": "function", "function": ...}, or the tool itself.
const formats::Value& bare_function(const formats::Value& tool);
// The tool inside {"type": "function", "function": ...}, added where it is missing.
formats::Value wrapped_function(const formats::Value& tool);

// A member of a tool description that must be there: "name" is text, the others are objects.
const formats::Value& tool_member(const formats::Value& tool, std::string_view key);
// The text of a member; empty when there is none. Other kinds are written as JSON.
std::string text_member(const formats::Value& value, std::string_view key);
// The member, or nullptr when it is absent, null, false, or empty.
const formats::Value* filled_member(const formats::Value& value, std::string_view key);
// The items of a list as texts.
std::vector<std::string> texts_of(const formats::Value& list);
bool names_required(const formats::Value& parameters, const std::string& name);

}  // namespace hone::data
