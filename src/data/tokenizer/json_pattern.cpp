#include "data/tokenizer/json_pattern.h"

#include "data/tokenizer/regex.h"

namespace hone::data {

std::string pattern_of(const formats::JsonObject& fields, std::string_view key) {
  const formats::JsonObject pattern = fields.object(key);
  if (pattern.has("Regex")) return pattern.string("Regex");
  return escape_pattern(pattern.string("String"));
}

}  // namespace hone::data
