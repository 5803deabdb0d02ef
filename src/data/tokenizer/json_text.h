// JSON as Python's json.dumps(..., ensure_ascii=False) writes it: separators ", " and ": ", members
// in their order, floats in their shortest form with a fraction or an exponent.
//
// LLaMA-Factory's tool texts are made this way, so the bytes decide the token ids.
#pragma once

#include <string>

#include "formats/value.h"

namespace hone::data {

// On one line.
std::string json_text(const formats::Value& value);

// With line breaks and `indent` blanks per level; empty lists and objects stay on their line.
std::string json_text_indented(const formats::Value& value, int indent);

}  // namespace hone::data
