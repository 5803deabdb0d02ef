// A chat template as data: LLaMA-Factory's record of formatters and flags
// (hiyouga/LLaMA-Factory @ ff6d4d12, data/template.py), values and all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/templates/tool_format.h"

namespace hone::data {

// A piece that is turned into ids by itself.
struct Slot {
  enum class Kind {
    text,   // encoded alone; "{{content}}" stands for the message, "{{idx}}" for the turn
    bos,    // the tokenizer's BOS id, nothing when it has none
    eos,    // the tokenizer's EOS id, nothing when it has none
    token,  // the one token named by `text`
  };
  Kind kind = Kind::text;
  std::string text;
};

using Slots = std::vector<Slot>;

// How messages become slots.
enum class TemplateClass {
  plain,
  fused_system,  // LLaMA-Factory's Llama2Template: system text is part of the first user text
  reasoning,     // LLaMA-Factory's ReasoningTemplate: thoughts are added, moved and removed
  own,           // the model's own chat template (own_template.h); no slots
};

struct OwnTemplate;

struct TemplateDefinition {
  std::string name;
  TemplateClass kind = TemplateClass::plain;
  Slots prefix;  // once, before message 0
  Slots system;
  Slots user;       // includes the assistant's header
  Slots assistant;  // includes the terminator
  Slots observation;
  Slots function;
  ToolFormat function_format = ToolFormat::plain;  // LLaMA-Factory's "default"
  ToolFormat tools_format = ToolFormat::plain;
  std::string default_system;
  std::vector<std::string> stop_words;
  WordPair thought_words = {"<think>\n", "\n</think>\n\n"};
  WordPair tool_call_words = {"<tool_call>", "</tool_call>"};
  // One EOS after the last turn instead of one per answer; EOS is also the label of the first token
  // of each following prompt. Done by whoever builds labels.
  bool efficient_eos = false;
  bool replace_eos = false;            // EOS becomes stop_words[0]
  bool replace_chat_template = false;  // even where the tokenizer has one
  // The thought of someone who did not think is the closing word alone (Glm47ReasoningTemplate).
  bool closing_thought_alone = false;
  // Tool text without system text loses the line ends at its beginning (MossVLTemplate).
  bool trims_lone_tools = false;
  // For models of pictures, videos or sound too. Only the text part is here: a message that names
  // one of the placeholders "<image>", "<video>" and "<audio>" is refused, because LLaMA-Factory
  // would count it against the record's media.
  bool sees_media = false;
  std::shared_ptr<const OwnTemplate> own;  // of kind `own` only
};

}  // namespace hone::data
