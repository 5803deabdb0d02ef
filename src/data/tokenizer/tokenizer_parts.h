// What a Tokenizer is made of, and the files it was made from.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/tokenizer/added_tokens.h"
#include "data/tokenizer/decoder.h"
#include "data/tokenizer/normalizer.h"
#include "data/tokenizer/post_processor.h"
#include "data/tokenizer/pre_tokenizer.h"
#include "data/tokenizer/special_tokens.h"
#include "data/tokenizer/token_model.h"
#include "formats/json.h"
#include "formats/value.h"

namespace hone::data {

struct TokenizerParts {
  std::unique_ptr<Normalizer> normalizer;       // may be null
  std::unique_ptr<PreTokenizer> pre_tokenizer;  // may be null
  std::unique_ptr<TokenModel> model;            // always there once the files are read
  AddedTokens added;
  Decoder decoder;
  PostProcessor post_processor;
  SpecialTokens special_tokens;
  std::optional<std::string> chat_template;
  std::vector<std::string> notes;

  std::string source;          // names the tokenizer in error texts
  std::string tokenizer_json;  // text of the file, or what stands for it when read from a GGUF
  formats::Value config;       // tokenizer_config.json; an empty object where there is none

  // The id of a token, added ones first.
  std::optional<std::int32_t> id_of(std::string_view token) const;

  // Adds a token with the id that the vocabulary has for it, else with the next free one, as the
  // `tokenizers` package numbers them. Returns whether it is new. finish_added() must follow.
  bool add_token(AddedToken token);
  void finish_added();
};

// From the text of a tokenizer.json. UserError for malformed files and for parts that hone does not
// have.
TokenizerParts read_tokenizer_json(std::string text, std::string source);

// The `model` of a tokenizer.json.
std::unique_ptr<TokenModel> read_token_model(const formats::JsonObject& model);

// Roles, further added tokens and the chat template from the two companion files (either may be
// null), as transformers combines them: special_tokens_map.json counts only where
// tokenizer_config.json has no added_tokens_decoder. The ids in config.json and
// generation_config.json play no part.
void apply_tokenizer_config(TokenizerParts& parts, const formats::Value& config,
                            const formats::Value& special_tokens_map);

}  // namespace hone::data
