// A template as Jinja text, for the model's files: what transformers, vLLM and others then apply.
#pragma once

#include <optional>
#include <string>

#include "data/templates/template_definition.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// System, user and assistant messages; others are passed over. BOS and EOS are written out as the
// tokenizer's texts. Nothing when a slot names a single token.
std::optional<std::string> chat_template_text(const TemplateDefinition& definition,
                                              const Tokenizer& tokenizer);

}  // namespace hone::data
