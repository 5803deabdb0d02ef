#include "data/tokenizer/metaspace.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/json_pattern.h"

namespace hone::data {

namespace {

Metaspace::Scheme scheme_named(std::string_view name, const formats::JsonObject& fields) {
  if (name == "always") return Metaspace::Scheme::always;
  if (name == "first") return Metaspace::Scheme::first;
  if (name == "never") return Metaspace::Scheme::never;
  throw UserError({fmt::format("{}: '{}'", fields.where("prepend_scheme"), name),
                   "known are always, first and never",
                   "take the tokenizer file that came with the model"});
}

}  // namespace

Metaspace read_metaspace(const formats::JsonObject& fields) {
  Metaspace made;
  made.replacement = character_of(fields, "replacement");
  made.scheme = scheme_named(fields.optional_string("prepend_scheme").value_or("always"), fields);
  if (!fields.optional_boolean("add_prefix_space").value_or(true)) {
    made.scheme = Metaspace::Scheme::never;
  }
  made.split = fields.optional_boolean("split").value_or(true);
  return made;
}

}  // namespace hone::data
