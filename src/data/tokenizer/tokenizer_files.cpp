// Tokenizer::files: the tokenizer as transformers saves it, with the changes of template fixing.
#include <array>

#include "data/tokenizer/json_text.h"
#include "data/tokenizer/tokenizer.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "formats/json.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

constexpr int kIndent = 2;  // transformers' and the tokenizers package's

Value flags_of(const AddedToken& token) {
  return Object{{"content", token.content},
                {"lstrip", token.lstrip},
                {"normalized", token.normalized},
                {"rstrip", token.rstrip},
                {"single_word", token.single_word}};
}

Array added_tokens(const TokenizerParts& parts) {
  Array tokens;
  for (const auto& [id, token] : parts.added.all()) {
    tokens.push_back(Object{{"id", std::int64_t{id}},
                            {"content", token.content},
                            {"single_word", token.single_word},
                            {"lstrip", token.lstrip},
                            {"rstrip", token.rstrip},
                            {"normalized", token.normalized},
                            {"special", token.special}});
  }
  return tokens;
}

// The file as it came, unless its list of added tokens has changed.
std::string tokenizer_json(const TokenizerParts& parts) {
  Value document = formats::parse_json(parts.tokenizer_json, parts.source);
  const Value added = added_tokens(parts);
  const Value* before = document.find("added_tokens");
  if (before != nullptr && *before == added) return parts.tokenizer_json;
  document.set("added_tokens", added);
  return json_text_indented(document, kIndent);
}

struct NamedRole {
  std::string_view key;
  const std::optional<std::string>& token;
};

std::array<NamedRole, 4> roles(const SpecialTokens& special) {
  return {{{"bos_token", special.bos},
           {"eos_token", special.eos},
           {"unk_token", special.unk},
           {"pad_token", special.pad}}};
}

// The text that a role has in the file, whether written as text or with flags.
std::optional<std::string> stated(const Value& config, std::string_view key) {
  const Value* value = config.find(key);
  if (value == nullptr) return std::nullopt;
  if (const Value* content = value->find("content")) value = content;
  return value->is_string() ? std::optional<std::string>(value->string()) : std::nullopt;
}

void write_added_decoder(Value& config, const TokenizerParts& parts) {
  if (config.find("added_tokens_decoder") == nullptr) return;
  Value decoder{Object{}};
  for (const auto& [id, token] : parts.added.all()) {
    Value flags = flags_of(token);
    flags.set("special", token.special);
    decoder.set(std::to_string(id), flags);
  }
  config.set("added_tokens_decoder", decoder);
}

std::string tokenizer_config(const TokenizerParts& parts) {
  Value config = parts.config;
  for (const NamedRole& role : roles(parts.special_tokens)) {
    if (role.token && stated(config, role.key) != role.token) config.set(role.key, *role.token);
  }
  write_added_decoder(config, parts);
  // transformers 4 reads the older name, 5 reads both; only where a file has the newer list is that
  // one kept.
  const Value* newer = config.find("extra_special_tokens");
  const bool use_newer = newer != nullptr && newer->is_array();
  if (!parts.special_tokens.additional.empty() && !(newer != nullptr && newer->is_object())) {
    Array additional;
    for (const std::string& token : parts.special_tokens.additional) additional.emplace_back(token);
    config.set(use_newer ? "extra_special_tokens" : "additional_special_tokens", additional);
  }
  if (config.find("tokenizer_class") == nullptr) {
    config.set("tokenizer_class", "PreTrainedTokenizerFast");
  }
  // The chat template has a file of its own.
  Object kept;
  for (formats::Member& member : config.object()) {
    if (member.key != "chat_template") kept.push_back(std::move(member));
  }
  return json_text_indented(Value(std::move(kept)), kIndent) + "\n";
}

std::string special_tokens_map(const TokenizerParts& parts) {
  Value map{Object{}};
  const auto with_flags = [&](const std::string& content) {
    const AddedToken* token = parts.added.find(content);
    return token == nullptr ? Value(content) : flags_of(*token);
  };
  for (const NamedRole& role : roles(parts.special_tokens)) {
    if (role.token) map.set(role.key, with_flags(*role.token));
  }
  if (!parts.special_tokens.additional.empty()) {
    Array additional;
    for (const std::string& token : parts.special_tokens.additional) {
      additional.emplace_back(token);
    }
    map.set("additional_special_tokens", additional);
  }
  return json_text_indented(map, kIndent) + "\n";
}

}  // namespace

std::vector<TokenizerFile> Tokenizer::files() const {
  std::vector<TokenizerFile> files = {
      {"tokenizer.json", tokenizer_json(*parts_)},
      {"tokenizer_config.json", tokenizer_config(*parts_)},
      {"special_tokens_map.json", special_tokens_map(*parts_)},
  };
  if (parts_->chat_template) files.push_back({"chat_template.jinja", *parts_->chat_template});
  return files;
}

}  // namespace hone::data
