// The templates by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/templates/template_definition.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// Names that can be used, in alphabetical order.
std::vector<std::string> template_names();

// UserError for a name that nobody has, with the nearest known one.
TemplateDefinition find_template(std::string_view name);

struct TemplateChoice {
  TemplateDefinition definition;
  std::vector<std::string> notes;  // for the user to be told
};

// What the setting `template` means for this tokenizer. Without a name: the tokenizer's own chat
// template, of kind `own`, or `empty` where it has none; either with a note. UserError for an
// unknown name, and for a chat template that hone cannot run.
TemplateChoice choose_template(const std::optional<std::string>& name, const Tokenizer& tokenizer);

// UserError for train_on_prompt with a template whose answers have no terminator of their own
// (efficient_eos): the label that ends an answer stands on the prompt behind it.
void check_prompts_can_be_learnt(const TemplateDefinition& definition);

}  // namespace hone::data
