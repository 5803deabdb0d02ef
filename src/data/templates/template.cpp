#include "data/templates/template.h"

#include <algorithm>
#include <ctime>
#include <iterator>

#include <fmt/format.h>

#include "base/error.h"
#include "data/templates/chat_template_text.h"
#include "data/templates/elements.h"
#include "data/templates/own_template.h"
#include "data/templates/thoughts.h"

namespace hone::data {

namespace {

// "05 Nov 2026", local time.
std::string date_of_today() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  return fmt::format("{:02d} {} {}", local.tm_mday, kMonths[local.tm_mon], local.tm_year + 1900);
}

// LLaMA-Factory's override of both tool formats: the template's own function slots give way.
void override_tool_format(TemplateDefinition& definition, const std::string& format) {
  definition.function_format = tool_format_from_name(format);
  definition.tools_format = definition.function_format;
  definition.function = {{Slot::Kind::text, "{{content}}"}};
  if (!definition.efficient_eos) definition.function.push_back({Slot::Kind::eos, ""});
}

// What changes a template's parts has nothing to change in a model's own chat template.
void refuse_for_own_template(const TemplateOptions& options) {
  FaultList faults;
  const char* const found = "template is not set, and the model's own chat template has no such";
  const char* const remedy = "name a template with template: NAME, or leave this out";
  if (options.tool_format) {
    faults.add({fmt::format("tool_format: {}", *options.tool_format), found, remedy});
  }
  if (options.split_special_tokens) {
    faults.add({"split_special_tokens: true", found, remedy});
  }
  faults.throw_if_any();
}

void remove_thoughts(std::vector<Message>& messages, std::size_t first, std::size_t end,
                     const WordPair& words) {
  for (std::size_t i = first; i < end; i += 2) {
    messages[i].content = without_thoughts(messages[i].content, words);
  }
}

}  // namespace

Template::Template(TemplateDefinition definition, TemplateOptions options)
    : definition_(std::move(definition)), options_(std::move(options)) {
  if (definition_.kind == TemplateClass::own) refuse_for_own_template(options_);
  if (options_.tool_format) override_tool_format(definition_, *options_.tool_format);
  if (options_.default_system) definition_.default_system = *options_.default_system;
  if (options_.today.empty()) options_.today = date_of_today();
}

void Template::add_empty_thought(const Message& answer, Elements& prompt,
                                 Elements& response) const {
  if (mentions_thought(answer.content, definition_.thought_words)) return;
  Element thought;
  thought.text =
      MarkedText::own(definition_.closing_thought_alone ? definition_.thought_words.close
                                                        : empty_thought(definition_.thought_words));
  const bool learnt = options_.enable_thinking.value_or(false);
  if (learnt) {
    response.insert(response.begin(), std::move(thought));
  } else {
    prompt.push_back(std::move(thought));
  }
}

EncodedConversation Template::encode_multiturn(const Tokenizer& tokenizer,
                                               const Conversation& conversation,
                                               bool discard_history_thoughts) const {
  const std::size_t count = conversation.messages.size();
  HONE_ASSERT(count % 2 == 0, count);
  if (definition_.kind == TemplateClass::own) {
    return encoded_turns(own_turns(definition_, conversation, options_.enable_thinking), tokenizer);
  }
  Conversation prepared = conversation;
  const bool reasoning = definition_.kind == TemplateClass::reasoning;
  if (reasoning && options_.enable_thinking == false) {
    remove_thoughts(prepared.messages, 1, count, definition_.thought_words);
  }
  if (reasoning && discard_history_thoughts && count > 2) {
    remove_thoughts(prepared.messages, 1, count - 2, definition_.thought_words);
  }
  std::vector<Elements> elements = conversation_elements(definition_, prepared, options_.today);
  for (std::size_t i = 0; i < count; i += 2) {
    const bool considered = !discard_history_thoughts || i + 2 == count;
    if (reasoning && considered) {
      add_empty_thought(prepared.messages[i + 1], elements[i], elements[i + 1]);
    }
  }
  return encoded_turns(elements, tokenizer);
}

EncodedConversation Template::encoded_turns(const std::vector<Elements>& elements,
                                            const Tokenizer& tokenizer) const {
  EncodedConversation encoded;
  for (std::size_t i = 0; i < elements.size(); i += 2) {
    EncodedTurn turn;
    encode_elements(elements[i], tokenizer, options_.split_special_tokens, turn.prompt,
                    encoded.control_tokens_in_text);
    encode_elements(elements[i + 1], tokenizer, options_.split_special_tokens, turn.response,
                    encoded.control_tokens_in_text);
    encoded.turns.push_back(std::move(turn));
  }
  return encoded;
}

std::pair<Elements, Elements> Template::oneturn_elements(const Conversation& conversation) const {
  const std::size_t count = conversation.messages.size();
  HONE_ASSERT(count > 0);
  if (definition_.kind == TemplateClass::own) {
    return own_oneturn(definition_, conversation, options_.enable_thinking);
  }
  Conversation prepared = conversation;
  const bool reasoning = definition_.kind == TemplateClass::reasoning;
  if (reasoning && !options_.preserve_thinking && count > 2) {
    remove_thoughts(prepared.messages, 1, count - 2, definition_.thought_words);
  }
  if (reasoning && options_.enable_thinking == false) {
    remove_thoughts(prepared.messages, count - 1, count, definition_.thought_words);
  }
  std::vector<Elements> elements = conversation_elements(definition_, prepared, options_.today);
  Elements prompt;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    std::move(elements[i].begin(), elements[i].end(), std::back_inserter(prompt));
  }
  if (reasoning) add_empty_thought(prepared.messages.back(), prompt, elements.back());
  return {std::move(prompt), std::move(elements.back())};
}

EncodedConversation Template::encode_oneturn(const Tokenizer& tokenizer,
                                             const Conversation& conversation) const {
  const auto [prompt, response] = oneturn_elements(conversation);
  EncodedConversation encoded;
  EncodedTurn turn;
  encode_elements(prompt, tokenizer, options_.split_special_tokens, turn.prompt,
                  encoded.control_tokens_in_text);
  encode_elements(response, tokenizer, options_.split_special_tokens, turn.response,
                  encoded.control_tokens_in_text);
  encoded.turns.push_back(std::move(turn));
  return encoded;
}

std::pair<std::string, std::string> Template::render_oneturn(
    const Tokenizer& tokenizer, const Conversation& conversation) const {
  const auto [prompt, response] = oneturn_elements(conversation);
  return {render_elements(prompt, tokenizer), render_elements(response, tokenizer)};
}

TokenizerChanges Template::fix_tokenizer(Tokenizer& tokenizer) const {
  TokenizerChanges changes;
  const auto note_if_new = [&](bool fresh, const std::string& token) {
    if (fresh) changes.new_tokens.push_back(token);
  };
  std::vector<std::string> stop_words = definition_.stop_words;
  if (definition_.replace_eos) {
    HONE_ASSERT(!stop_words.empty(), definition_.name);
    const std::string eos = stop_words.front();
    stop_words.erase(stop_words.begin());
    if (tokenizer.special_tokens().eos != eos) {
      const bool had_eos = tokenizer.eos_id().has_value();
      note_if_new(tokenizer.set_eos(eos), eos);
      changes.notes.push_back(fmt::format("{} eos token: {}.", had_eos ? "Replace" : "Add", eos));
    }
  }
  if (!tokenizer.eos_id()) {
    const std::string eos = "<|endoftext|>";
    note_if_new(tokenizer.set_eos(eos), eos);
    changes.notes.push_back(fmt::format("Add eos token: {}.", eos));
  }
  if (!tokenizer.pad_id()) {
    const std::string pad = *tokenizer.special_tokens().eos;
    note_if_new(tokenizer.set_pad(pad), pad);
    changes.notes.push_back(fmt::format("Add pad token: {}.", pad));
  }
  for (const std::string& word : stop_words) {
    note_if_new(tokenizer.add_special_token(word), word);
  }
  if (!stop_words.empty()) {
    changes.notes.push_back(fmt::format("Add {} to stop words.", fmt::join(stop_words, ",")));
  }
  fix_chat_template(tokenizer, changes);
  return changes;
}

void Template::fix_chat_template(Tokenizer& tokenizer, TokenizerChanges& changes) const {
  if (tokenizer.chat_template() && !definition_.replace_chat_template) return;
  if (const std::optional<std::string> text = chat_template_text(definition_, tokenizer)) {
    tokenizer.set_chat_template(*text);
  } else {
    changes.notes.push_back(fmt::format(
        "Template {} cannot be written as a chat template; none is saved.", definition_.name));
  }
}

std::vector<TokenId> Template::stop_ids(const Tokenizer& tokenizer) const {
  std::vector<TokenId> ids;
  if (const std::optional<TokenId> eos = tokenizer.eos_id()) ids.push_back(*eos);
  for (const std::string& word : definition_.stop_words) {
    if (const std::optional<TokenId> id = tokenizer.token_id(word)) ids.push_back(*id);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace hone::data
