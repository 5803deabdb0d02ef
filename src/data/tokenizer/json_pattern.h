// Patterns as tokenizer.json writes them, {"Regex": pattern} or {"String": text}, and single
// characters.
#pragma once

#include <string>
#include <string_view>

#include "formats/json.h"

namespace hone::data {

// As a regular expression that finds the same. UserError for anything else.
std::string pattern_of(const formats::JsonObject& fields, std::string_view key);

// A text of exactly one character. UserError for any other.
std::string character_of(const formats::JsonObject& fields, std::string_view key);

}  // namespace hone::data
