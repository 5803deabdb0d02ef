// What is done to a text before it is split: the `normalizer` of tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/tokenizer/text_piece.h"
#include "formats/value.h"

namespace hone::data {

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(TextPiece& piece) const = 0;

  std::string normalize(std::string text) const {
    TextPiece piece{std::move(text), 0};
    apply(piece);
    return std::move(piece.text);
  }
};

// From the file's object; nullptr for null or absent (nullptr). NFC, NFD, NFKC, NFKD, Lowercase,
// StripAccents, Nmt, BertNormalizer, Precompiled, Replace, Prepend, Strip, Sequence; any other type
// is refused (UserError). `where` names the file.
std::unique_ptr<Normalizer> make_normalizer(const formats::Value* description,
                                            std::string_view where);

}  // namespace hone::data
