// What `tokenizer.ggml.pre` names: the rules by which a text is split, as llama.cpp knows them and
// as the models' own tokenizer.json files write them.
#pragma once

#include <string_view>

#include "formats/value.h"

namespace hone::data {

struct GgufPreTokenizer {
  formats::Value normalizer;     // as in tokenizer.json
  formats::Value pre_tokenizer;  // as in tokenizer.json
  bool ignore_merges = false;
};

// UserError for a name that hone does not know; an empty name is "default". `source` names the
// file.
GgufPreTokenizer gguf_pre_tokenizer(std::string_view name, bool add_prefix_space,
                                    std::string_view source);

}  // namespace hone::data
