// read_token_model: BPE and Unigram, as the `tokenizers` package writes them.
#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/bpe.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "data/tokenizer/unigram.h"
#include "formats/json.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kTakeOriginal =
    "the file is damaged or made by hand: take the tokenizer file that came with the model";

// What the model may ask for that changes ids and that hone does not do.
void refuse_unsupported(const formats::JsonObject& model) {
  const auto refuse = [&](std::string_view key, std::string_view found) {
    throw UserError({model.where(key), std::string(found), "use a model with another tokenizer"});
  };
  if (model.optional_number("dropout").value_or(0.0) != 0.0) {
    refuse("dropout", "random merges, which would give other ids at every reading");
  }
  for (const std::string_view key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    if (!model.optional_string(key).value_or("").empty()) {
      refuse(key, "marks inside or behind words, which hone does not have");
    }
  }
}

std::vector<Vocabulary::Entry> read_vocabulary(const formats::JsonObject& model) {
  std::vector<Vocabulary::Entry> vocabulary;
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

std::unique_ptr<TokenModel> read_bpe(const formats::JsonObject& model) {
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
  definition.byte_fallback = model.optional_boolean("byte_fallback").value_or(false);
  definition.ignore_merges = model.optional_boolean("ignore_merges").value_or(false);
  return std::make_unique<Bpe>(std::move(definition), model.file_name());
}

std::unique_ptr<TokenModel> read_unigram(const formats::JsonObject& model) {
  UnigramDefinition definition;
  const formats::Array& vocabulary = model.array("vocab");
  definition.pieces.reserve(vocabulary.size());
  for (std::size_t id = 0; id < vocabulary.size(); ++id) {
    const formats::Array* pair = vocabulary[id].get_array();
    const bool readable = pair != nullptr && pair->size() == 2 && pair->front().is_string() &&
                          (pair->back().kind() == formats::Value::Kind::number ||
                           pair->back().kind() == formats::Value::Kind::integer);
    if (!readable) {
      throw UserError({fmt::format("{}: token {}", model.where("vocab"), id),
                       "something else than a list of a token and its score",
                       std::string(kTakeOriginal)});
    }
    definition.pieces.emplace_back(pair->front().string(), pair->back().number());
  }
  definition.unknown_id = model.optional_integer("unk_id");
  definition.byte_fallback = model.optional_boolean("byte_fallback").value_or(false);
  return std::make_unique<Unigram>(std::move(definition), model.file_name());
}

}  // namespace

std::unique_ptr<TokenModel> read_token_model(const formats::JsonObject& model) {
  // Older files do not name the type.
  const bool scores = model.find("vocab") != nullptr && model.find("vocab")->is_array();
  const std::string type = model.optional_string("type").value_or(scores ? "Unigram" : "BPE");
  if (type == "BPE") return read_bpe(model);
  if (type == "Unigram") return read_unigram(model);
  throw UserError(
      {model.where("type"), fmt::format("'{}', and hone has BPE and Unigram", type),
       "use a model with a BPE or Unigram tokenizer, as models that generate text have"});
}

}  // namespace hone::data
