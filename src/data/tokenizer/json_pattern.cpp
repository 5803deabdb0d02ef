#include "data/tokenizer/json_pattern.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

std::string pattern_of(const formats::JsonObject& fields, std::string_view key) {
  const formats::JsonObject pattern = fields.object(key);
  if (pattern.has("Regex")) return pattern.string("Regex");
  return escape_pattern(pattern.string("String"));
}

std::string character_of(const formats::JsonObject& fields, std::string_view key) {
  const std::string& text = fields.string(key);
  if (!text.empty() && utf8_step(text, 0).length == text.size()) return text;
  throw UserError({fields.where(key), fmt::format("'{}' where one character belongs", text),
                   "take the tokenizer file that came with the model"});
}

}  // namespace hone::data
