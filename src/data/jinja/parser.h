// A chat template's text as trees.
#pragma once

#include <string_view>

#include "data/jinja/syntax.h"

namespace hone::data::jinja {

// UserError, with the line and the name of what is not there, for anything
// outside of the subset: the tags for, if, set, macro, raw, break, continue and
// generation.
Statements parse(std::string_view source);

}  // namespace hone::data::jinja
