// The templates as data.
#pragma once

#include <string>
#include <vector>

#include "data/templates/template_definition.h"

namespace hone::data {

// Every template that hone has.
std::vector<TemplateDefinition> template_table();

// Names that LLaMA-Factory has and hone does not.
const std::vector<std::string>& templates_not_here_yet();

}  // namespace hone::data
