// Calls of tools as the text that a model was trained to write (LLaMA-Factory, data/tool_utils.py,
// the function_formatter functions). Where a format lacks a closing mark (glm4_moe, seed_oss), so
// do LLaMA-Factory's texts.
#pragma once

#include <string_view>
#include <vector>

#include "data/templates/marked_text.h"
#include "data/templates/tool_format.h"
#include "data/templates/tool_json.h"

namespace hone::data {

// `content` is the message, for errors. UserError for several calls where the format has one only
// (glm4), and for arguments that are no object where the format writes them one by one.
MarkedText tool_calls_text(ToolFormat format, const std::vector<ToolCall>& calls,
                           std::string_view content);

}  // namespace hone::data
