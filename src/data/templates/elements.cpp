#include "data/templates/elements.h"

#include <fmt/format.h>

#include "base/error.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kContent = "{{content}}";
constexpr std::string_view kTurn = "{{idx}}";

Elements filled(const Slots& slots, const MarkedText& content) {
  Elements elements;
  for (const Slot& slot : slots) {
    MarkedText text = MarkedText::own(slot.text);
    if (slot.kind == Slot::Kind::text) text.substitute(kContent, content);
    elements.push_back({slot.kind, std::move(text)});
  }
  return elements;
}

void append(Elements& elements, Elements more) {
  for (Element& element : more) elements.push_back(std::move(element));
}

class Builder {
 public:
  Builder(const TemplateDefinition& definition, const Conversation& conversation,
          const std::string& today)
      : definition_(definition), conversation_(conversation), today_(today) {}

  std::vector<Elements> run() const {
    std::vector<Elements> all;
    for (std::size_t i = 0; i < conversation_.messages.size(); ++i) {
      if (definition_.sees_media) refuse_placeholders(conversation_.messages[i].content);
      all.push_back(message(i, conversation_.messages[i]));
    }
    return all;
  }

 private:
  void refuse_placeholders(const std::string& content) const {
    for (const char* placeholder : {"<image>", "<video>", "<audio>"}) {
      if (content.find(placeholder) == std::string::npos) continue;
      throw UserError(
          {fmt::format("a message with {}: {}", placeholder, formats::printable(content)),
           fmt::format("template '{}' reads it as the place of a picture, video or sound, which "
                       "hone does not read",
                       definition_.name),
           "leave the record out, or use a template for text, in which it is ordinary text"});
    }
  }

  bool fused() const { return definition_.kind == TemplateClass::fused_system; }

  // System text and tools, in the system slots; nothing when there is neither.
  Elements system_block() const {
    MarkedText content = conversation_.system.empty() ? MarkedText::own(definition_.default_system)
                                                      : MarkedText::user(conversation_.system);
    if (content.empty() && conversation_.tools.empty()) return {};
    if (!conversation_.tools.empty()) {
      MarkedText tools = tools_text(definition_.tools_format, conversation_.tools, today_);
      if (definition_.trims_lone_tools && content.empty()) tools.trim_leading_line_ends();
      content.append(tools);
    }
    return filled(definition_.system, content);
  }

  Elements message(std::size_t index, const Message& message) const {
    Elements elements;
    MarkedText content = MarkedText::user(message.content);
    if (index == 0) {
      append(elements, filled(definition_.prefix, {}));
      Elements system = system_block();
      if (!fused()) {
        append(elements, std::move(system));
      } else if (message.role == Role::user && !system.empty()) {
        content = std::move(system.front().text).append(content);
      }
    }
    append(elements, body(index, message, content));
    return elements;
  }

  Elements body(std::size_t index, const Message& message, const MarkedText& content) const {
    switch (message.role) {
      case Role::user:
        return user(index, content);
      case Role::assistant:
        return filled(definition_.assistant, content);
      case Role::observation:
        return filled(definition_.observation, content);
      case Role::system:
        return filled(definition_.system, content);
      case Role::function:
        return filled(definition_.function, call(message.content));
    }
    HONE_ASSERT(false, static_cast<int>(message.role));
    return {};
  }

  // The first "{{idx}}" of the filled slot becomes the turn's number, wherever it stands; that is
  // LLaMA-Factory's order of substitution.
  Elements user(std::size_t index, const MarkedText& content) const {
    Elements elements = filled(definition_.user, content);
    if (fused()) return elements;
    for (Element& element : elements) {
      if (element.kind == Slot::Kind::text) {
        element.text.substitute(kTurn, MarkedText::own(std::to_string(index / 2)));
      }
    }
    return elements;
  }

  MarkedText call(const std::string& content) const {
    if (fused()) return bare_tool_call_text(definition_.function_format, content);
    return tool_call_text(definition_.function_format, content, definition_.thought_words,
                          definition_.tool_call_words);
  }

  const TemplateDefinition& definition_;
  const Conversation& conversation_;
  const std::string& today_;
};

}  // namespace

std::vector<Elements> conversation_elements(const TemplateDefinition& definition,
                                            const Conversation& conversation,
                                            const std::string& today) {
  return Builder(definition, conversation, today).run();
}

void encode_elements(const Elements& elements, const Tokenizer& tokenizer,
                     bool split_special_tokens, std::vector<TokenId>& ids,
                     std::size_t& control_tokens) {
  const auto put = [&](std::optional<TokenId> id) {
    if (id) ids.push_back(*id);
  };
  for (const Element& element : elements) {
    switch (element.kind) {
      case Slot::Kind::bos:
        put(tokenizer.bos_id());
        break;
      case Slot::Kind::eos:
        put(tokenizer.eos_id());
        break;
      case Slot::Kind::token:
        put(tokenizer.token_id(element.text.text()));
        break;
      case Slot::Kind::text: {
        const SegmentEncoding encoding = tokenizer.encode_segment(
            element.text.text(), element.text.user_ranges(), split_special_tokens);
        ids.insert(ids.end(), encoding.ids.begin(), encoding.ids.end());
        control_tokens += encoding.control_tokens;
        break;
      }
    }
  }
}

std::string render_elements(const Elements& elements, const Tokenizer& tokenizer) {
  std::string text;
  for (const Element& element : elements) {
    switch (element.kind) {
      case Slot::Kind::bos:
        text += tokenizer.special_tokens().bos.value_or("");
        break;
      case Slot::Kind::eos:
        text += tokenizer.special_tokens().eos.value_or("");
        break;
      case Slot::Kind::token:
      case Slot::Kind::text:
        text += element.text.text();
        break;
    }
  }
  return text;
}

}  // namespace hone::data
