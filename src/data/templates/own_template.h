// A model's own chat template in the place of a named template: conversations are rendered as
// transformers renders them.
//
// LLaMA-Factory, where no template is named, takes the chat template apart by rendering
// placeholders and puts turns together from the parts, which repeats or loses what the template
// writes once. Here every prompt is the rendering of all messages before the answer, and the answer
// is what the rendering with it adds. A template that writes earlier answers in another way once
// they are earlier (without their thoughts, say) has no such parts: records of several turns are
// refused then, and a named template is asked for.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/jinja/chat_template.h"
#include "data/templates/elements.h"
#include "formats/value.h"

namespace hone::data {

struct OwnTemplate {
  jinja::ChatTemplate program;
  formats::Object tokens;     // the tokenizer's special tokens: "bos_token", ...
  std::string named_instead;  // a named template that it resembles; may be empty
};

// The template of kind `own`. UserError for chat templates that hone cannot run.
TemplateDefinition own_template(const std::string& text, std::string named_instead,
                                const Tokenizer& tokenizer);

// Two lists per turn: the prompt's and the answer's. The number of messages is even.
std::vector<Elements> own_turns(const TemplateDefinition& definition,
                                const Conversation& conversation,
                                std::optional<bool> enable_thinking);

// Everything but the last message, and the last message.
std::pair<Elements, Elements> own_oneturn(const TemplateDefinition& definition,
                                          const Conversation& conversation,
                                          std::optional<bool> enable_thinking);

}  // namespace hone::data
