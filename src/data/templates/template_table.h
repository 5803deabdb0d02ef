// The templates as data.
#pragma once

#include <vector>

#include "data/templates/template_definition.h"

namespace hone::data {

// Every registered template of LLaMA-Factory @ ff6d4d12 (124), each name once.
const std::vector<TemplateDefinition>& template_table();

}  // namespace hone::data
