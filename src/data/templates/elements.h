// A conversation as the pieces that are encoded one by one.
#pragma once

#include <string>
#include <vector>

#include "data/templates/marked_text.h"
#include "data/templates/template.h"
#include "data/templates/template_definition.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// A slot with its placeholders filled in.
struct Element {
  Slot::Kind kind = Slot::Kind::text;
  MarkedText text;  // kind text: what is encoded; kind token: the token's text
};

using Elements = std::vector<Element>;

// One list per message; prefix and system text belong to the first. UserError for tool text that is
// not what it must be.
std::vector<Elements> conversation_elements(const TemplateDefinition& definition,
                                            const Conversation& conversation,
                                            const std::string& today);

// Appends the ids of the elements, and counts the special tokens in the record's own text.
void encode_elements(const Elements& elements, const Tokenizer& tokenizer,
                     bool split_special_tokens, std::vector<TokenId>& ids,
                     std::size_t& control_tokens);

// What the ids of the elements stand for.
std::string render_elements(const Elements& elements, const Tokenizer& tokenizer);

}  // namespace hone::data
