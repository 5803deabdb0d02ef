#include "data/templates/own_template.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/templates/tool_json.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

Value message_value(const Message& message) {
  switch (message.role) {
    case Role::user:
      return Object{{"role", "user"}, {"content", message.content}};
    case Role::assistant:
      return Object{{"role", "assistant"}, {"content", message.content}};
    case Role::system:
      return Object{{"role", "system"}, {"content", message.content}};
    case Role::observation:
      return Object{{"role", "tool"}, {"content", message.content}};
    case Role::function:
      break;
  }
  Array calls;
  for (const ToolCall& call : parse_tool_calls(message.content, message.content)) {
    const Object function = {{"name", call.name}, {"arguments", call.arguments}};
    calls.push_back(Object{{"type", "function"}, {"function", function}});
  }
  return Object{{"role", "assistant"}, {"content", ""}, {"tool_calls", calls}};
}

// Renders the beginnings of one conversation.
class Renderer {
 public:
  Renderer(const TemplateDefinition& definition, const Conversation& conversation,
           std::optional<bool> enable_thinking)
      : own_(*definition.own), variables_(own_.tokens) {
    const std::string& system =
        conversation.system.empty() ? definition.default_system : conversation.system;
    if (!system.empty()) messages_.push_back(message_value({Role::system, system}));
    first_ = messages_.size();
    for (const Message& message : conversation.messages) {
      messages_.push_back(message_value(message));
    }
    Value tools;
    if (!conversation.tools.empty()) {
      Array wrapped;
      for (const Value& tool : parse_tools(conversation.tools)) {
        wrapped.push_back(wrapped_function(tool));
      }
      if (!wrapped.empty()) tools = std::move(wrapped);
    }
    variables_.push_back({"tools", std::move(tools)});
    variables_.push_back({"documents", nullptr});
    if (enable_thinking == false) variables_.push_back({"enable_thinking", false});
  }

  // The text of the first `count` messages.
  std::string text(std::size_t count, bool generation) const {
    Object variables = variables_;
    const auto end = messages_.begin() + static_cast<std::ptrdiff_t>(first_ + count);
    variables.push_back({"messages", Array(messages_.begin(), end)});
    variables.push_back({"add_generation_prompt", generation});
    return own_.program.render(Value(std::move(variables)));
  }

  [[noreturn]] void refuse(std::string found) const {
    throw UserError({"template: not set, so the model's own chat template writes the records",
                     std::move(found),
                     own_.named_instead.empty()
                         ? "name a template with template: NAME"
                         : fmt::format("set template: {} (the chat template has its markers)",
                                       own_.named_instead)});
  }

 private:
  const OwnTemplate& own_;
  Object variables_;
  Array messages_;
  std::size_t first_ = 0;  // of the conversation's messages; a system message may stand before
};

bool begins(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

// The text between two places, of which what the message says is the record's own.
Elements between(const std::string& text, std::size_t begin, std::size_t end,
                 const std::string& content) {
  const std::string part = text.substr(begin, end - begin);
  const std::size_t at = content.empty() ? std::string::npos : part.find(content);
  MarkedText marked;
  if (at == std::string::npos) {
    marked.append_own(part);
  } else {
    marked.append_own(part.substr(0, at)).append_user(content);
    marked.append_own(part.substr(at + content.size()));
  }
  return {{Slot::Kind::text, std::move(marked)}};
}

std::string trimmed(const std::string& content) {
  constexpr const char* kBlank = " \t\n\r";
  const std::size_t begin = content.find_first_not_of(kBlank);
  if (begin == std::string::npos) return {};
  return content.substr(begin, content.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace

TemplateDefinition own_template(const std::string& text, std::string named_instead,
                                const Tokenizer& tokenizer) {
  Object tokens;
  const SpecialTokens& special = tokenizer.special_tokens();
  const std::pair<const char*, const std::optional<std::string>*> named[] = {
      {"bos_token", &special.bos},
      {"eos_token", &special.eos},
      {"pad_token", &special.pad},
      {"unk_token", &special.unk}};
  for (const auto& [name, token] : named) {
    if (*token) tokens.push_back({name, **token});
  }
  TemplateDefinition made;
  made.name = "of the model";
  made.kind = TemplateClass::own;
  made.own = std::make_shared<const OwnTemplate>(
      OwnTemplate{jinja::ChatTemplate(text), std::move(tokens), std::move(named_instead)});
  return made;
}

std::vector<Elements> own_turns(const TemplateDefinition& definition,
                                const Conversation& conversation,
                                std::optional<bool> enable_thinking) {
  const Renderer renderer(definition, conversation, enable_thinking);
  const std::vector<Message>& messages = conversation.messages;
  const std::string whole = renderer.text(messages.size(), false);
  std::vector<Elements> all;
  std::size_t done = 0;
  for (std::size_t i = 0; i < messages.size(); i += 2) {
    const bool last = i + 2 == messages.size();
    const std::string prompt = renderer.text(i + 1, true);
    const std::string answered = last ? whole : renderer.text(i + 2, false);
    if (!begins(whole, prompt) || !begins(whole, answered) || prompt.size() < done ||
        answered.size() < prompt.size()) {
      renderer.refuse(last ? "an answer is not written behind its prompt"
                           : "earlier answers are not written as they were when they were last");
    }
    all.push_back(between(whole, done, prompt.size(), trimmed(messages[i].content)));
    all.push_back(between(whole, prompt.size(), answered.size(), trimmed(messages[i + 1].content)));
    done = answered.size();
  }
  return all;
}

std::pair<Elements, Elements> own_oneturn(const TemplateDefinition& definition,
                                          const Conversation& conversation,
                                          std::optional<bool> enable_thinking) {
  const Renderer renderer(definition, conversation, enable_thinking);
  const std::vector<Message>& messages = conversation.messages;
  const std::string prompt = renderer.text(messages.size() - 1, true);
  const std::string asked = messages.size() > 1 ? messages[messages.size() - 2].content : "";
  Elements before = between(prompt, 0, prompt.size(), trimmed(asked));
  const std::string& answer = messages.back().content;
  // For generation, where nothing is answered yet.
  if (answer.empty()) return {std::move(before), Elements()};
  const std::string whole = renderer.text(messages.size(), false);
  if (!begins(whole, prompt)) renderer.refuse("an answer is not written behind its prompt");
  return {std::move(before), between(whole, prompt.size(), whole.size(), trimmed(answer))};
}

}  // namespace hone::data
