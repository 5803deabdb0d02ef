// Conversations as token ids, as LLaMA-Factory's templates make them.
//
// Every slot is encoded by itself, without the tokenizer's automatic special tokens: the template
// owns BOS and EOS. Prefix and system text belong to the first prompt; an answer's terminator, and
// what follows it in the template, belong to the answer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/templates/message.h"
#include "data/templates/template_definition.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

struct Element;

// What the user's settings change about a template.
struct TemplateOptions {
  // Reasoning templates: true gives answers without a thought an empty one, to be learnt; false
  // strips thoughts and puts the empty one into the prompt; nothing (YAML null) keeps thoughts and
  // puts an empty one into the prompt where there is none.
  std::optional<bool> enable_thinking = true;
  bool preserve_thinking = false;  // encode_oneturn keeps the thoughts of earlier answers
  std::optional<std::string> default_system = {};  // may be empty: no default
  std::optional<std::string> tool_format = {};     // LLaMA-Factory's name of a tool format
  bool split_special_tokens = false;
  // "05 Nov 2026", for tool formats that state the date; empty: the clock is read.
  std::string today = {};
};

// Everything that one record says.
struct Conversation {
  std::vector<Message> messages;
  std::string system;  // empty: the template's default
  std::string tools;   // JSON list, or empty
};

struct EncodedTurn {
  std::vector<TokenId> prompt;
  std::vector<TokenId> response;
};

struct EncodedConversation {
  std::vector<EncodedTurn> turns;
  // How many of the tokenizer's special tokens the record's own texts contain: control tokens in
  // the ids, or plain text with `split_special_tokens`.
  std::size_t control_tokens_in_text = 0;
};

// What fix_tokenizer changed, for the user to be told.
struct TokenizerChanges {
  std::vector<std::string> notes;       // one sentence each
  std::vector<std::string> new_tokens;  // not in the vocabulary before: the embedding must grow
};

class Template {
 public:
  // UserError for an unknown tool format, and for options that a model's own chat template cannot
  // follow (a tool format, split_special_tokens).
  Template(TemplateDefinition definition, TemplateOptions options);

  const TemplateDefinition& definition() const { return definition_; }
  const TemplateOptions& options() const { return options_; }

  // One turn per pair of messages. The number of messages must be even (asserted). UserError for
  // tool text that is not what it must be. `discard_history_thoughts` is LLaMA-Factory's
  // discarding_history_cot: mask_history and not preserve_thinking.
  EncodedConversation encode_multiturn(const Tokenizer& tokenizer, const Conversation& conversation,
                                       bool discard_history_thoughts) const;

  // Everything but the last message as prompt, the last message as response. At least one message;
  // for generation give an empty assistant message at the end and drop the response.
  EncodedConversation encode_oneturn(const Tokenizer& tokenizer,
                                     const Conversation& conversation) const;

  // The texts that encode_oneturn encodes, one after the other, BOS and EOS spelled out: (prompt,
  // response).
  std::pair<std::string, std::string> render_oneturn(const Tokenizer& tokenizer,
                                                     const Conversation& conversation) const;

  // Makes the tokenizer fit the template: EOS, PAD, stop words, chat template.
  TokenizerChanges fix_tokenizer(Tokenizer& tokenizer) const;

  // Ids that end an answer, ascending: EOS (after fixing) and every stop word.
  std::vector<TokenId> stop_ids(const Tokenizer& tokenizer) const;

 private:
  using Elements = std::vector<Element>;
  EncodedConversation encoded_turns(const std::vector<Elements>& elements,
                                    const Tokenizer& tokenizer) const;
  std::pair<Elements, Elements> oneturn_elements(const Conversation& conversation) const;
  void add_empty_thought(const Message& answer, Elements& prompt, Elements& response) const;
  void fix_chat_template(Tokenizer& tokenizer, TokenizerChanges& changes) const;

  TemplateDefinition definition_;
  TemplateOptions options_;
};

}  // namespace hone::data
