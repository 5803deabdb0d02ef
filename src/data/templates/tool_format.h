// How tool descriptions and tool calls are written as text (LLaMA-Factory, data/tool_utils.py).
#pragma once

#include <string>
#include <string_view>

#include "data/templates/marked_text.h"

namespace hone::data {

enum class ToolFormat {
  plain,  // LLaMA-Factory's "default"
  gemma4,
  glm4,
  glm4_moe,
  lfm2,
  ling,
  llama3,
  minimax1,
  minimax2,
  mistral,
  qwen,
  qwen3_5,
  seed_oss,
  phi4_mini,  // of that template alone: the list of tools as it came, between two marks
};

// LLaMA-Factory's name of the format ("default", "llama3", ...).
std::string_view name(ToolFormat format);

// The inverse, for the names that can be set; UserError for any other.
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
