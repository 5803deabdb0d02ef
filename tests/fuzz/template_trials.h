// Trials of what strangers write for templates: chat templates, tool lists, tool calls.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "data/jinja/chat_template.h"
#include "data/templates/tool_format.h"

namespace hone::data {

// Variables of every kind that a chat template may meet.
inline formats::Value trial_variables() {
  using formats::Array;
  using formats::Object;
  const auto message = [](const char* role, const char* content) {
    return Object{{"role", role}, {"content", content}};
  };
  const Object call = {{"function", Object{{"name", "f"}, {"arguments", Object{{"x", 1.5}}}}}};
  Object asking = message("assistant", "");
  asking.push_back({"tool_calls", Array{call}});
  return Object{
      {"messages", Array{message("system", " S "), message("user", "Grüße\n"), asking,
                         message("tool", "3"), message("assistant", "<think>a</think>b")}},
      {"tools", Array{call}},
      {"add_generation_prompt", true},
      {"bos_token", "<s>"},
      {"eos_token", "</s>"}};
}

// Rendered or refused, within its limits.
inline bool try_chat_template(std::string_view input) {
  static const formats::Value variables = trial_variables();
  constexpr jinja::Limits kSmall = {
      .template_bytes = 1 << 16, .steps = 20'000, .made_bytes = 1 << 20};
  try {
    const std::string text = jinja::ChatTemplate(input, kSmall).render(variables, std::tm{});
    return text.size() <= (1 << 20);
  } catch (const UserError&) {
    return false;
  }
}

// Every format writes it or refuses it.
inline bool try_tool_text(std::string_view input) {
  bool written = false;
  for (int i = 0; i <= static_cast<int>(ToolFormat::phi4_mini); ++i) {
    const auto format = static_cast<ToolFormat>(i);
    try {
      written |= !tools_text(format, input, "05 Nov 2026").empty();
    } catch (const UserError&) {
    }
    try {
      written |= !bare_tool_call_text(format, std::string(input)).empty();
    } catch (const UserError&) {
    }
  }
  return written;
}

}  // namespace hone::data
