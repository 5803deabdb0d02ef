#include "unit/data/templates/template_fixture.h"

namespace hone::data {

Tokenizer showing_tokenizer() {
  using formats::Array;
  using formats::Object;
  using formats::Value;
  return b256([](Value& tokenizer, Value& config) {
    tokenizer.set("normalizer", Object{{"type", "Prepend"}, {"prepend", "\x01"}});
    Array added;
    for (const auto& [id, content] : {std::pair<int, std::string>{256, kBos}, {257, kEos}}) {
      added.push_back(Object{{"id", id}, {"content", content}, {"special", true}});
    }
    tokenizer.set("added_tokens", added);
    config = Object{{"bos_token", kBos}, {"eos_token", kEos}};
  });
}

std::vector<std::string> pieces_of(const Tokenizer& tokenizer, const std::vector<TokenId>& ids) {
  std::vector<std::string> pieces;
  for (const TokenId id : ids) {
    if (id == 1) {
      pieces.emplace_back();
    } else if (id >= 256) {
      pieces.push_back(tokenizer.token_text(id));
    } else {
      pieces.back().push_back(static_cast<char>(id));
    }
  }
  return pieces;
}

Template make_template(const std::string& name, TemplateOptions options) {
  return Template(find_template(name), std::move(options));
}

Conversation talk(const std::vector<std::string>& contents, const std::string& system) {
  Conversation conversation;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    conversation.messages.push_back({i % 2 == 0 ? Role::user : Role::assistant, contents[i]});
  }
  conversation.system = system;
  return conversation;
}

}  // namespace hone::data
