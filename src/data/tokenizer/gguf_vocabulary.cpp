// Tokenizer::from_gguf: a tokenizer.json is made from the metadata and read like any other, so that
// what is used and what is saved are one.
#include "data/tokenizer/gguf_vocabulary.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/gguf_pre_tokenizer.h"
#include "data/tokenizer/json_text.h"
#include "data/tokenizer/post_processor.h"
#include "data/tokenizer/sentencepiece_document.h"
#include "data/tokenizer/tokenizer.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

// tokenizer.ggml.token_type, as ggml numbers it.
constexpr std::int32_t kControl = 3;
constexpr std::int32_t kUserDefined = 4;

[[noreturn]] void refuse(std::string_view source, std::string_view key, std::string found) {
  throw UserError({fmt::format("{}: {}", source, key), std::move(found),
                   "convert the model again, or take another GGUF of it"});
}

void check(const GgufVocabulary& vocabulary, std::string_view source) {
  if (vocabulary.model != "gpt2" && vocabulary.model != "llama") {
    throw UserError(
        {fmt::format("{}: tokenizer.ggml.model '{}'", source, formats::printable(vocabulary.model)),
         "hone reads 'gpt2' (byte-level BPE) and 'llama' (SentencePiece's BPE)",
         "give the model as a folder with its tokenizer.json"});
  }
  if (vocabulary.tokens.empty()) refuse(source, "tokenizer.ggml.tokens", "it has no tokens");
  if (!vocabulary.token_types.empty() &&
      vocabulary.token_types.size() != vocabulary.tokens.size()) {
    refuse(source, "tokenizer.ggml.token_type",
           fmt::format("{} entries for {} tokens", vocabulary.token_types.size(),
                       vocabulary.tokens.size()));
  }
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    if (formats::invalid_utf8(vocabulary.tokens[id])) {
      refuse(source, "tokenizer.ggml.tokens", fmt::format("token {} is not UTF-8", id));
    }
  }
  for (std::size_t rank = 0; rank < vocabulary.merges.size(); ++rank) {
    if (formats::invalid_utf8(vocabulary.merges[rank])) {
      refuse(source, "tokenizer.ggml.merges", fmt::format("merge {} is not UTF-8", rank));
    }
  }
}

Value added_token(std::int64_t id, const std::string& content, bool special) {
  return Object{{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
                {"rstrip", false}, {"normalized", false}, {"special", special}};
}

Array added_tokens(const GgufVocabulary& vocabulary) {
  Array added;
  for (std::size_t id = 0; id < vocabulary.token_types.size(); ++id) {
    const std::int32_t type = vocabulary.token_types[id];
    if (type != kControl && type != kUserDefined) continue;
    added.push_back(
        added_token(static_cast<std::int64_t>(id), vocabulary.tokens[id], type == kControl));
  }
  return added;
}

// Two ids for one text would make what is saved ambiguous.
Object vocabulary_object(const GgufVocabulary& vocabulary, std::string_view source) {
  Object tokens;
  tokens.reserve(vocabulary.tokens.size());
  for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
    tokens.push_back({vocabulary.tokens[id], static_cast<std::int64_t>(id)});
  }
  std::vector<const std::string*> sorted;
  for (const std::string& token : vocabulary.tokens) sorted.push_back(&token);
  std::sort(sorted.begin(), sorted.end(),
            [](const std::string* left, const std::string* right) { return *left < *right; });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (*sorted[i - 1] == *sorted[i]) {
      refuse(source, "tokenizer.ggml.tokens",
             fmt::format("the token '{}' is there twice", formats::printable(*sorted[i])));
    }
  }
  return tokens;
}

const std::string& token_of_role(const GgufVocabulary& vocabulary, std::int64_t id,
                                 std::string_view source, std::string_view key) {
  if (id < 0 || id >= static_cast<std::int64_t>(vocabulary.tokens.size())) {
    refuse(source, key, fmt::format("the id {} and {} tokens", id, vocabulary.tokens.size()));
  }
  return vocabulary.tokens[static_cast<std::size_t>(id)];
}

// The post-processor that transformers gives to such files: BOS in front when the file asks for it.
Value post_processor(const GgufVocabulary& vocabulary, const Value& config) {
  const Value plain = Object{{"type", "ByteLevel"},
                             {"add_prefix_space", true},
                             {"trim_offsets", false},
                             {"use_regex", true}};
  const Value* bos = config.find("bos_token");
  if (!vocabulary.add_bos.value_or(false) || bos == nullptr) return plain;
  return bos_processor(bos->string(), *vocabulary.bos_id);
}

Value config_of(const GgufVocabulary& vocabulary, std::string_view source) {
  Value config{Object{}};
  config.set("tokenizer_class", "PreTrainedTokenizerFast");
  const auto role = [&](std::string_view name, const std::optional<std::int64_t>& id,
                        std::string_view key) {
    if (id) config.set(name, token_of_role(vocabulary, *id, source, key));
  };
  role("bos_token", vocabulary.bos_id, "tokenizer.ggml.bos_token_id");
  role("eos_token", vocabulary.eos_id, "tokenizer.ggml.eos_token_id");
  role("unk_token", vocabulary.unk_id, "tokenizer.ggml.unknown_token_id");
  role("pad_token", vocabulary.pad_id, "tokenizer.ggml.padding_token_id");
  config.set("add_bos_token", vocabulary.add_bos.value_or(false));
  config.set("add_eos_token", vocabulary.add_eos.value_or(false));
  config.set("clean_up_tokenization_spaces", false);
  return config;
}

Value tokenizer_document(const GgufVocabulary& vocabulary, const GgufPreTokenizer& pre,
                         const Value& config, std::string_view source) {
  Array merges;
  merges.reserve(vocabulary.merges.size());
  for (const std::string& merge : vocabulary.merges) merges.emplace_back(merge);
  const Value decoder = Object{{"type", "ByteLevel"},
                               {"add_prefix_space", true},
                               {"trim_offsets", true},
                               {"use_regex", true}};
  return Object{{"version", "1.0"},
                {"truncation", nullptr},
                {"padding", nullptr},
                {"added_tokens", added_tokens(vocabulary)},
                {"normalizer", pre.normalizer},
                {"pre_tokenizer", pre.pre_tokenizer},
                {"post_processor", post_processor(vocabulary, config)},
                {"decoder", decoder},
                {"model", Object{{"type", "BPE"},
                                 {"dropout", nullptr},
                                 {"unk_token", nullptr},
                                 {"continuing_subword_prefix", nullptr},
                                 {"end_of_word_suffix", nullptr},
                                 {"fuse_unk", false},
                                 {"byte_fallback", false},
                                 {"ignore_merges", pre.ignore_merges},
                                 {"vocab", vocabulary_object(vocabulary, source)},
                                 {"merges", std::move(merges)}}}};
}

// llama.cpp puts the space before every stretch of text between control tokens, as `legacy` does.
Value sentencepiece_of(const GgufVocabulary& vocabulary, std::string_view source) {
  const std::size_t tokens = vocabulary.tokens.size();
  if (vocabulary.scores.size() != tokens || vocabulary.token_types.size() != tokens) {
    refuse(source, "tokenizer.ggml.scores",
           fmt::format("{} scores and {} token types for {} tokens", vocabulary.scores.size(),
                       vocabulary.token_types.size(), tokens));
  }
  SentencePieceModel model;
  model.kind = SentencePieceModel::Kind::bpe;
  model.remove_extra_spaces = false;
  model.add_dummy_prefix = vocabulary.add_space_prefix.value_or(true);
  for (std::size_t id = 0; id < tokens; ++id) {
    const std::int32_t type = vocabulary.token_types[id];
    if (type < 1 || type > 6) {
      refuse(source, "tokenizer.ggml.token_type", fmt::format("the type {} of token {}", type, id));
    }
    model.pieces.push_back(
        {vocabulary.tokens[id], vocabulary.scores[id], static_cast<PieceType>(type)});
    model.byte_fallback = model.byte_fallback || model.pieces.back().type == PieceType::byte;
  }
  check_pieces(model, source);
  SentencePieceOptions options;
  options.legacy = true;
  if (vocabulary.add_bos.value_or(true)) options.bos_id = vocabulary.bos_id;
  return sentencepiece_document(model, options, source);
}

Value byte_level_of(const GgufVocabulary& vocabulary, const Value& config,
                    std::string_view source) {
  const GgufPreTokenizer pre =
      gguf_pre_tokenizer(vocabulary.pre, vocabulary.add_space_prefix.value_or(false), source);
  return tokenizer_document(vocabulary, pre, config, source);
}

}  // namespace

Tokenizer Tokenizer::from_gguf(const GgufVocabulary& vocabulary, std::string_view source) {
  check(vocabulary, source);
  const bool byte_level = vocabulary.model == "gpt2";
  const Value config = config_of(vocabulary, source);
  const Value document =
      byte_level ? byte_level_of(vocabulary, config, source) : sentencepiece_of(vocabulary, source);
  auto parts = std::make_unique<TokenizerParts>(
      read_tokenizer_json(json_text(document), std::string(source)));
  parts->chat_template = vocabulary.chat_template;
  if (byte_level && vocabulary.pre.empty()) {
    parts->notes.push_back(fmt::format(
        "{}: the file does not say how text is split (tokenizer.ggml.pre); the rule 'default' of "
        "llama.cpp is used, and ids may differ from those the model was trained with",
        source));
  }
  apply_tokenizer_config(*parts, config, Value());
  return Tokenizer(std::move(parts));
}

}  // namespace hone::data
