// Descriptions of tools as the text that a model was trained to read (LLaMA-Factory,
// data/tool_utils.py, the tool_formatter functions).
#pragma once

#include <string_view>

#include "data/templates/marked_text.h"
#include "data/templates/tool_format.h"
#include "formats/value.h"

namespace hone::data {

// `tools` is not empty; `today` is "05 Nov 2026". UserError for a tool without what the format
// writes. Not for ToolFormat::phi4_mini, which writes the list as it came.
MarkedText tool_description(ToolFormat format, const formats::Array& tools, std::string_view today);

}  // namespace hone::data
