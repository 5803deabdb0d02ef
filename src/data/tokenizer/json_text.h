// JSON as Python's json.dumps(..., ensure_ascii=False) writes it. LLaMA-Factory's tool texts are
// made this way, so the bytes decide the token ids; transformers writes tokenizer files this way
// too.
#pragma once

#include <string>

#include "formats/json_writer.h"

namespace hone::data {

// On one line.
inline std::string json_text(const formats::Value& value) {
  return formats::dump_python(value, {.indent = std::nullopt, .ensure_ascii = false});
}

inline std::string json_text_indented(const formats::Value& value, int indent) {
  return formats::dump_python(value, {.indent = indent, .ensure_ascii = false});
}

}  // namespace hone::data
