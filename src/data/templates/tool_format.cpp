#include "data/templates/tool_format.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/templates/tool_calls.h"
#include "data/templates/tool_description.h"
#include "data/templates/tool_json.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

struct NamedFormat {
  std::string_view name;
  ToolFormat format;
};

// LLaMA-Factory's names. phi4_mini has none: it belongs to its template.
constexpr std::array<NamedFormat, 13> kFormats = {{{"default", ToolFormat::plain},
                                                   {"gemma4", ToolFormat::gemma4},
                                                   {"glm4", ToolFormat::glm4},
                                                   {"glm4_moe", ToolFormat::glm4_moe},
                                                   {"lfm2", ToolFormat::lfm2},
                                                   {"ling", ToolFormat::ling},
                                                   {"llama3", ToolFormat::llama3},
                                                   {"minimax1", ToolFormat::minimax1},
                                                   {"minimax2", ToolFormat::minimax2},
                                                   {"mistral", ToolFormat::mistral},
                                                   {"qwen", ToolFormat::qwen},
                                                   {"qwen3_5", ToolFormat::qwen3_5},
                                                   {"seed_oss", ToolFormat::seed_oss}}};

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
  if (format == ToolFormat::phi4_mini) return "phi4_mini";
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
  throw UserError({fmt::format("tool_format: '{}'", formats::printable(name)),
                   fmt::format("no such tool format{}", did_you_mean(name, known)),
                   fmt::format("use one of {}", fmt::join(known, ", "))});
}

MarkedText tools_text(ToolFormat format, std::string_view tools, std::string_view today) {
  if (format == ToolFormat::phi4_mini) {
    return MarkedText::own("<|tool|>").append_user(tools).append_own("<|/tool|>");
  }
  const formats::Array list = parse_tools(tools);
  return list.empty() ? MarkedText() : tool_description(format, list, today);
}

MarkedText bare_tool_call_text(ToolFormat format, const std::string& content) {
  return tool_calls_text(format, parse_tool_calls(content, content), content);
}

MarkedText tool_call_text(ToolFormat format, const std::string& content, const WordPair& thought,
                          const WordPair& tool_call) {
  Enclosed found;
  if (find_enclosed(content, tool_call, found)) {
    return MarkedText::user(without(content, found.whole))
        .append(tool_calls_text(format, parse_tool_calls(found.inner, content), content));
  }
  if (find_enclosed(content, thought, found)) {
    return MarkedText::user(found.whole)
        .append(tool_calls_text(format, parse_tool_calls(without(content, found.whole), content),
                                content));
  }
  return bare_tool_call_text(format, content);
}

}  // namespace hone::data
