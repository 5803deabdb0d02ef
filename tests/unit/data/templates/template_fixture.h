// A tokenizer that shows what a template asks of it, and short ways to write conversations.
#pragma once

#include <string>
#include <vector>

#include "data/templates/registry.h"
#include "data/templates/template.h"
#include "unit/data/tokenizer/tokenizer_fixture.h"

namespace hone::data {

inline const std::string kBos = "<bos>";
inline const std::string kEos = "<eos>";

// Bytes, BOS and EOS. Each text that is encoded by itself begins with the byte 1.
Tokenizer showing_tokenizer();

// What the ids of the showing tokenizer stand for, cut into the pieces that were encoded.
std::vector<std::string> pieces_of(const Tokenizer& tokenizer, const std::vector<TokenId>& ids);

Template make_template(const std::string& name, TemplateOptions options = {});

// Messages of alternating roles: user, assistant, user, ...
Conversation talk(const std::vector<std::string>& contents, const std::string& system = "");

}  // namespace hone::data
