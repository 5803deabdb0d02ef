// Metaspace: SentencePiece's way with spaces, the part of tokenizer.json that is a pre-tokenizer
// and a decoder at once.
#pragma once

#include <string>

#include "formats/json.h"

namespace hone::data {

struct Metaspace {
  enum class Scheme {
    always,  // a mark is put before every piece that does not begin with one
    first,   // only before the piece with which the text begins
    never,
  };
  std::string replacement;  // the mark for a space: one character
  Scheme scheme = Scheme::always;
  bool split = true;  // whether each mark begins a new piece
};

// UserError for a malformed one. Files from before `prepend_scheme` say `add_prefix_space`.
Metaspace read_metaspace(const formats::JsonObject& fields);

}  // namespace hone::data
