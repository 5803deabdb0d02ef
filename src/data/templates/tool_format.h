// How tool descriptions and tool calls are written as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hone::data {

enum class ToolFormat { plain, llama3, mistral, qwen };

// LLaMA-Factory's name of the format: "default", "llama3", "mistral", "qwen".
std::string_view name(ToolFormat format);

// The inverse; UserError for a name that LLaMA-Factory has and hone does not, or that nobody has.
ToolFormat tool_format_from_name(std::string_view name);

}  // namespace hone::data
