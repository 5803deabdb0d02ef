// Tokens that a file adds around a text by itself: the `post_processor` of tokenizer.json.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/value.h"

namespace hone::data {

struct PostProcessor {
  std::vector<std::int32_t> before;
  std::vector<std::int32_t> after;
  // Not empty: a type that hone does not run. Reading the file is no error, asking for its effect
  // is.
  std::string unsupported_type;
};

// null, ByteLevel (adds nothing), TemplateProcessing (its `single` form), BertProcessing,
// RobertaProcessing and Sequence of these.
// UserError for a malformed one; `where` names the file.
PostProcessor make_post_processor(const formats::Value* description, std::string_view where);

// The description of one that puts a token in front of each text.
formats::Value bos_processor(const std::string& token, std::int64_t id);

}  // namespace hone::data
