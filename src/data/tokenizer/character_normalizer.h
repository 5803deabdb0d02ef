// Normalizers that go through a text character by character, without context: Lowercase,
// StripAccents, Nmt, BertNormalizer.
#pragma once

#include <memory>

#include "data/tokenizer/normalizer.h"
#include "formats/json.h"

namespace hone::data {

// nullptr when `type` is none of these.
std::unique_ptr<Normalizer> make_character_normalizer(std::string_view type,
                                                      const formats::JsonObject& fields);

// One of Unicode's four forms ("NFC", "NFD", "NFKC", "NFKD"); nullptr for another type.
std::unique_ptr<Normalizer> make_unicode_form(std::string_view type);

}  // namespace hone::data
