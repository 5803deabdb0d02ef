#include "data/tokenizer/tokenizer_parts.h"

#include <algorithm>

namespace hone::data {

std::optional<std::int32_t> TokenizerParts::id_of(std::string_view token) const {
  if (const AddedToken* found = added.find(token)) return found->id;
  return model->vocabulary().id(token);
}

bool TokenizerParts::add_token(AddedToken token) {
  const std::optional<std::int32_t> known = id_of(token.content);
  if (known) {
    token.id = *known;
  } else {
    token.id = static_cast<std::int32_t>(model->size());
    if (!added.all().empty()) token.id = std::max(token.id, added.all().rbegin()->first + 1);
  }
  added.add(std::move(token));
  return !known;
}

void TokenizerParts::finish_added() {
  added.prepare([this](std::string text) {
    return normalizer ? normalizer->normalize(std::move(text)) : text;
  });
}

}  // namespace hone::data
