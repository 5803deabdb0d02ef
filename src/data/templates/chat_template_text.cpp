#include "data/templates/chat_template_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace hone::data {

namespace {

constexpr std::string_view kPlaceholder = "{{content}}";

std::string literal(std::string_view text) {
  std::string quoted = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "'";
}

// The slots as one Jinja expression; `variable` stands where the content belongs.
std::string expression(const Slots& slots, const Tokenizer& tokenizer, std::string_view variable) {
  std::vector<std::string> parts;
  const auto put = [&](std::string_view text) {
    if (!text.empty()) parts.push_back(literal(text));
  };
  for (const Slot& slot : slots) {
    if (slot.kind == Slot::Kind::bos) put(tokenizer.special_tokens().bos.value_or(""));
    if (slot.kind == Slot::Kind::eos) put(tokenizer.special_tokens().eos.value_or(""));
    if (slot.kind != Slot::Kind::text) continue;
    const std::string_view text = slot.text;
    const std::size_t at = text.find(kPlaceholder);
    put(text.substr(0, at));
    if (at == std::string_view::npos) continue;
    parts.emplace_back(variable);
    put(text.substr(at + kPlaceholder.size()));
  }
  return fmt::format("{}", fmt::join(parts, " + "));
}

bool names_token(const Slots& slots) {
  return std::any_of(slots.begin(), slots.end(),
                     [](const Slot& slot) { return slot.kind == Slot::Kind::token; });
}

std::string emit(const std::string& what) {
  return what.empty() ? std::string() : "{{ " + what + " }}";
}

// Sets system_message, where there is one, and loop_messages, the rest.
std::string find_system(const TemplateDefinition& definition) {
  std::string text;
  if (!definition.default_system.empty()) {
    text += "{% set system_message = " + literal(definition.default_system) + " %}";
  }
  return text +
         "{% if messages[0]['role'] == 'system' %}"
         "{% set system_message = messages[0]['content'] %}{% set loop_messages = messages[1:] %}"
         "{% else %}{% set loop_messages = messages %}{% endif %}";
}

}  // namespace

std::optional<std::string> chat_template_text(const TemplateDefinition& definition,
                                              const Tokenizer& tokenizer) {
  for (const Slots* slots :
       {&definition.prefix, &definition.system, &definition.user, &definition.assistant}) {
    if (names_token(*slots)) return std::nullopt;
  }
  const std::string system = expression(definition.system, tokenizer, "system_message");
  const std::string user = expression(definition.user, tokenizer, "content");
  const std::string assistant = expression(definition.assistant, tokenizer, "content");
  const bool fused = definition.kind == TemplateClass::fused_system;
  std::string text = emit(expression(definition.prefix, tokenizer, "content"));
  text += find_system(definition);
  if (!fused) text += "{% if system_message is defined %}" + emit(system) + "{% endif %}";
  text += "{% for message in loop_messages %}";
  if (fused) {
    text += "{% if loop.index0 == 0 and system_message is defined %}{% set content = " + system +
            " + message['content'] %}{% else %}{% set content = message['content'] %}{% endif %}";
  } else {
    text += "{% set content = message['content'] %}";
  }
  text += "{% if message['role'] == 'user' %}" + emit(user) +
          "{% elif message['role'] == 'assistant' %}" + emit(assistant) + "{% endif %}{% endfor %}";
  return text;
}

}  // namespace hone::data
