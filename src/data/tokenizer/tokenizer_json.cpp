// read_tokenizer_json: the file format of the `tokenizers` package, version "1.0".
#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "formats/json.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

void read_added_tokens(const formats::JsonObject& root, TokenizerParts& parts) {
  const formats::Array* tokens = root.optional_array("added_tokens");
  if (tokens == nullptr) return;
  for (const formats::Value& value : *tokens) {
    const formats::JsonObject fields(value, root.file_name(), "added_tokens");
    AddedToken token;
    token.content = fields.string("content");
    if (token.content.empty()) continue;
    const std::int64_t stated = fields.integer("id");
    token.special = fields.optional_boolean("special").value_or(false);
    token.single_word = fields.optional_boolean("single_word").value_or(false);
    token.lstrip = fields.optional_boolean("lstrip").value_or(false);
    token.rstrip = fields.optional_boolean("rstrip").value_or(false);
    token.normalized = fields.optional_boolean("normalized").value_or(!token.special);
    const std::string content = token.content;
    parts.add_token(std::move(token));
    if (const std::int32_t id = *parts.id_of(content); id != stated) {
      parts.notes.push_back(fmt::format(
          "{}: the added token '{}' has the id {} in the file and gets {}, as the tokenizers "
          "package numbers it",
          root.file_name(), formats::printable(content), stated, id));
    }
  }
}

// Text that is in no token vanishes when it is encoded; that must not go unsaid.
void note_missing_tokens(TokenizerParts& parts) {
  if (!parts.model->drops_unknown()) return;
  if (!parts.decoder.byte_level) {
    parts.notes.push_back(fmt::format(
        "{}: the vocabulary has neither an unknown token nor a token for every byte; characters "
        "that are in no token are left out of the ids",
        parts.source));
    return;
  }
  int missing = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string letter = to_byte_letters(std::string(1, static_cast<char>(byte)));
    // Bytes that UTF-8 never uses do no harm.
    const bool used = byte != 0xc0 && byte != 0xc1 && byte < 0xf5;
    if (used && !parts.model->vocabulary().id(letter)) ++missing;
  }
  if (missing == 0) return;
  parts.notes.push_back(fmt::format(
      "{}: the vocabulary has no token for {} of the bytes that text is made of; characters with "
      "them are left out of the ids",
      parts.source, missing));
}

}  // namespace

TokenizerParts read_tokenizer_json(std::string text, std::string source) {
  TokenizerParts parts;
  parts.source = std::move(source);
  parts.config = formats::Value(formats::Object{});
  const formats::Value document = formats::parse_json(text, parts.source);
  parts.tokenizer_json = std::move(text);
  const formats::JsonObject root(document, parts.source);
  parts.model =
      read_token_model(formats::JsonObject(root.object("model").value(), parts.source, "model"));
  parts.normalizer = make_normalizer(root.find("normalizer"), parts.source);
  parts.pre_tokenizer = make_pre_tokenizer(root.find("pre_tokenizer"), parts.source);
  parts.decoder = make_decoder(root.find("decoder"), parts.source);
  parts.post_processor = make_post_processor(root.find("post_processor"), parts.source);
  read_added_tokens(root, parts);
  note_missing_tokens(parts);
  parts.finish_added();
  return parts;
}

}  // namespace hone::data
