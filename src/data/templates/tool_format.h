// How tool descriptions and tool calls are written as text (LLaMA-Factory, data/tool_utils.py).
#pragma once

#include <string>
#include <string_view>

#include "data/templates/marked_text.h"

namespace hone::data {

enum class ToolFormat { plain, llama3, mistral, qwen };

// LLaMA-Factory's name of the format: "default", "llama3", "mistral", "qwen".
std::string_view name(ToolFormat format);

// The inverse; UserError for a name that LLaMA-Factory has and hone does not, or that nobody has.
ToolFormat tool_format_from_name(std::string_view name);

// The text that describes `tools`, a JSON list of functions (bare, or inside
// {"type": "function", "function": ...}); empty for an empty list. `today` is written by llama3:
// "05 Nov 2026". UserError for anything else than such a list.
MarkedText tools_text(ToolFormat format, std::string_view tools, std::string_view today);

struct WordPair {
  std::string open;
  std::string close;
};

// The text of an assistant's tool call. `content` is JSON: an object with `name` and `arguments`,
// or a list of them; it may stand between the `tool_call` words with any text around it, or behind
// a thought. UserError when it is not.
MarkedText tool_call_text(ToolFormat format, const std::string& content, const WordPair& thought,
                          const WordPair& tool_call);

// The same for content that holds nothing but the JSON.
MarkedText bare_tool_call_text(ToolFormat format, const std::string& content);

}  // namespace hone::data
