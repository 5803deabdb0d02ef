// apply_tokenizer_config: roles of tokens, as transformers 5.24 resolves them for its fast
// tokenizers.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "formats/json.h"

namespace hone::data {

namespace {

struct RoleField {
  std::string_view key;
  std::optional<std::string> SpecialTokens::*member;  // null: a role that hone has no use for
};

constexpr std::array<RoleField, 7> kRoles = {{{"bos_token", &SpecialTokens::bos},
                                              {"eos_token", &SpecialTokens::eos},
                                              {"unk_token", &SpecialTokens::unk},
                                              {"sep_token", nullptr},
                                              {"pad_token", &SpecialTokens::pad},
                                              {"cls_token", nullptr},
                                              {"mask_token", nullptr}}};

// A token as a role names it: its text, or an object with text and flags.
AddedToken read_token(const formats::Value& value, const std::string& file, std::string_view key) {
  AddedToken token;
  token.special = true;
  if (const std::string* text = value.get_string()) {
    token.content = *text;
    return token;
  }
  const formats::JsonObject fields(value, file, std::string(key));
  token.content = fields.string("content");
  token.single_word = fields.optional_boolean("single_word").value_or(false);
  token.lstrip = fields.optional_boolean("lstrip").value_or(false);
  token.rstrip = fields.optional_boolean("rstrip").value_or(false);
  token.normalized = fields.optional_boolean("normalized").value_or(false);
  return token;
}

// Lists of further special tokens; transformers 4 and 5 call them differently, and 5 also takes an
// object of named ones.
std::vector<AddedToken> read_additional(const formats::JsonObject& fields) {
  std::vector<AddedToken> tokens;
  for (const std::string_view key : {"additional_special_tokens", "extra_special_tokens"}) {
    const formats::Value* value = fields.find(key);
    if (value == nullptr || value->is_null()) continue;
    if (const formats::Object* named = value->get_object()) {
      for (const formats::Member& entry : *named) {
        tokens.push_back(read_token(entry.value, fields.file_name(), key));
      }
      continue;
    }
    for (const formats::Value& item : fields.array(key)) {
      tokens.push_back(read_token(item, fields.file_name(), key));
    }
  }
  return tokens;
}

void read_added_decoder(TokenizerParts& parts, const formats::JsonObject& config) {
  const std::optional<formats::JsonObject> entries = config.optional_object("added_tokens_decoder");
  if (!entries) return;
  std::map<std::int64_t, AddedToken> by_id;
  for (const formats::Member& entry : entries->value().object()) {
    std::int64_t id = 0;
    const char* end = entry.key.data() + entry.key.size();
    const auto [stop, error] = std::from_chars(entry.key.data(), end, id);
    if (error != std::errc() || stop != end) {
      throw UserError({entries->where(entry.key), "the name is no token id",
                       "take the tokenizer_config.json that came with the model"});
    }
    AddedToken token = read_token(entry.value, config.file_name(), "added_tokens_decoder");
    token.special = formats::JsonObject(entry.value, config.file_name(), "added_tokens_decoder")
                        .optional_boolean("special")
                        .value_or(false);
    by_id[id] = std::move(token);
  }
  for (auto& [id, token] : by_id) {
    if (!token.content.empty()) parts.add_token(std::move(token));
  }
}

void read_roles(TokenizerParts& parts, const formats::JsonObject& fields) {
  for (const RoleField& role : kRoles) {
    const formats::Value* value = fields.find(role.key);
    if (value == nullptr || value->is_null()) continue;
    AddedToken token = read_token(*value, fields.file_name(), role.key);
    if (token.content.empty()) continue;
    if (role.member != nullptr) parts.special_tokens.*role.member = token.content;
    if (parts.added.find(token.content) == nullptr) parts.add_token(std::move(token));
  }
  for (AddedToken& token : read_additional(fields)) {
    if (token.content.empty()) continue;
    std::vector<std::string>& additional = parts.special_tokens.additional;
    if (std::find(additional.begin(), additional.end(), token.content) == additional.end()) {
      additional.push_back(token.content);
    }
    if (parts.added.find(token.content) == nullptr) parts.add_token(std::move(token));
  }
}

// One text, or a list of named ones of which "default" counts.
std::optional<std::string> read_chat_template(const formats::JsonObject& config) {
  const formats::Value* value = config.find("chat_template");
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_string()) return value->string();
  for (const formats::Value& item : config.array("chat_template")) {
    const formats::JsonObject fields(item, config.file_name(), "chat_template");
    if (fields.string("name") == "default") return fields.string("template");
  }
  return std::nullopt;
}

}  // namespace

void apply_tokenizer_config(TokenizerParts& parts, const formats::Value& config,
                            const formats::Value& special_tokens_map) {
  const std::string config_name = "tokenizer_config.json beside " + parts.source;
  const formats::Value nothing{formats::Object{}};
  const formats::JsonObject fields(config.is_null() ? nothing : config, config_name);
  parts.config = fields.value();
  read_added_decoder(parts, fields);
  read_roles(parts, fields);
  if (!special_tokens_map.is_null() && !fields.has("added_tokens_decoder")) {
    read_roles(parts, formats::JsonObject(special_tokens_map,
                                          "special_tokens_map.json beside " + parts.source));
  }
  parts.special_tokens.add_bos = fields.optional_boolean("add_bos_token").value_or(false);
  parts.special_tokens.add_eos = fields.optional_boolean("add_eos_token").value_or(false);
  if (!parts.chat_template) parts.chat_template = read_chat_template(fields);
  parts.finish_added();
}

}  // namespace hone::data
