// read_tokenizer_json: the file format of the `tokenizers` package, version "1.0".
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "data/tokenizer/utf8.h"
#include "formats/json.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kUseByteLevel = "use a model with a byte-level BPE tokenizer";
constexpr std::string_view kTakeOriginal =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";

// What the model may ask for that changes ids and that hone does not do.
void refuse_unsupported(const formats::JsonObject& model) {
  const auto refuse = [&](std::string_view key, std::string_view found) {
    throw UserError({model.where(key), std::string(found), std::string(kUseByteLevel)});
  };
  const std::string type = model.optional_string("type").value_or("BPE");
  if (type != "BPE") refuse("type", fmt::format("'{}', and hone has BPE only", type));
  if (model.optional_boolean("byte_fallback").value_or(false)) {
    refuse("byte_fallback", "BPE with byte fallback (SentencePiece), which hone does not have");
  }
  if (model.optional_number("dropout").value_or(0.0) != 0.0) {
    refuse("dropout", "random merges, which would give other ids at every reading");
  }
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!model.optional_string(key).value_or("").empty()) {
      refuse(key, "marks inside or behind words, which hone does not have");
    }
  }
}

std::vector<std::pair<std::string, std::int64_t>> read_vocabulary(
    const formats::JsonObject& model) {
  std::vector<std::pair<std::string, std::int64_t>> vocabulary;
  for (const formats::Member& entry : model.object("vocab").value().object()) {
    if (entry.value.kind() != formats::Value::Kind::integer) {
      throw UserError(
          {fmt::format("{}: token '{}'", model.where("vocab"), formats::printable(entry.key)),
           fmt::format("{} where its id belongs", describe(entry.value.kind())),
           std::string(kTakeOriginal)});
    }
    vocabulary.emplace_back(entry.key, entry.value.integer());
  }
  return vocabulary;
}

// "left right", or ["left", "right"] (files since version 0.20 of the package, where tokens may
// hold spaces).
std::pair<std::string, std::string> read_merge(const formats::Value& merge, std::size_t index,
                                               const formats::JsonObject& model) {
  const auto refuse = [&](std::string found) {
    throw UserError({fmt::format("{}: merge {}", model.where("merges"), index), std::move(found),
                     std::string(kTakeOriginal)});
  };
  if (const std::string* text = merge.get_string()) {
    const std::size_t space = text->find(' ');
    const bool two = space != std::string::npos && space > 0 && space + 1 < text->size() &&
                     text->find(' ', space + 1) == std::string::npos;
    if (!two) {
      refuse(fmt::format("'{}' where two tokens with one space between them belong",
                         formats::printable(*text)));
    }
    return {text->substr(0, space), text->substr(space + 1)};
  }
  const formats::Array* pair = merge.get_array();
  if (pair == nullptr) {
    refuse(fmt::format("{} where a pair of tokens belongs", describe(merge.kind())));
  }
  if (pair->size() != 2) refuse(fmt::format("a list of {} where two tokens belong", pair->size()));
  for (const formats::Value& side : *pair) {
    if (!side.is_string()) {
      refuse(fmt::format("{} in the pair where a token belongs", describe(side.kind())));
    }
  }
  return {pair->front().string(), pair->back().string()};
}

Bpe read_model(const formats::JsonObject& model) {
  refuse_unsupported(model);
  BpeDefinition definition;
  definition.vocabulary = read_vocabulary(model);
  const formats::Array& merges = model.array("merges");
  for (std::size_t index = 0; index < merges.size(); ++index) {
    // The first line of a merges.txt may have come along.
    const std::string* text = merges[index].get_string();
    if (text != nullptr && text->rfind("#version", 0) == 0) continue;
    definition.merges.push_back(read_merge(merges[index], index, model));
  }
  definition.unknown_token = model.optional_string("unk_token");
  definition.fuse_unknown = model.optional_boolean("fuse_unk").value_or(false);
  definition.ignore_merges = model.optional_boolean("ignore_merges").value_or(false);
  return Bpe(std::move(definition), model.file_name());
}

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

// Text whose bytes are in no token vanishes when it is encoded; that must not go unsaid.
void note_missing_bytes(TokenizerParts& parts) {
  if (parts.decoder != Decoder::byte_level) return;
  int missing = 0;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string letter = to_byte_letters(std::string(1, static_cast<char>(byte)));
    // Bytes that UTF-8 never uses do no harm.
    const bool used = byte != 0xc0 && byte != 0xc1 && byte < 0xf5;
    if (used && !parts.bpe->token_id(letter)) ++missing;
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
  parts.bpe.emplace(
      read_model(formats::JsonObject(root.object("model").value(), parts.source, "model")));
  parts.normalizer = make_normalizer(root.find("normalizer"), parts.source);
  parts.pre_tokenizer = make_pre_tokenizer(root.find("pre_tokenizer"), parts.source);
  parts.decoder = make_decoder(root.find("decoder"), parts.source);
  parts.post_processor = make_post_processor(root.find("post_processor"), parts.source);
  read_added_tokens(root, parts);
  note_missing_bytes(parts);
  parts.finish_added();
  return parts;
}

}  // namespace hone::data
