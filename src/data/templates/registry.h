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

// What the setting `template` means for this tokenizer. Without a name: a tokenizer with a chat
// template is refused (hone does not run chat templates), naming the template that its text
// resembles; one without gets `empty`, with a note.
TemplateChoice choose_template(const std::optional<std::string>& name, const Tokenizer& tokenizer);

}  // namespace hone::data
