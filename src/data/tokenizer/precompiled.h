// SentencePiece's compiled normalization rules: the `Precompiled` normalizer of tokenizer.json and
// the `precompiled_charsmap` of a tokenizer.model.
//
// Format: the size in bytes of a double-array trie (Darts), 32 bits little-endian; the trie's
// units, 32 bits each; then texts, each closed by a zero byte. The trie maps a rule's left side to
// the offset of its right side among the texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tokenizer/normalizer.h"
#include "formats/json.h"

namespace hone::data {

class Precompiled : public Normalizer {
 public:
  // UserError when the bytes are no such map; `where` names the place in the file.
  Precompiled(std::string_view charsmap, std::string_view where);

  // As the `tokenizers` package does it: each grapheme cluster of fewer than six bytes is looked up
  // whole, and is replaced whole by the rule of its shortest beginning that has one; the other
  // characters are looked up one by one.
  void apply(TextPiece& piece) const override;

 private:
  std::optional<std::string_view> rule_for(std::string_view text) const;
  void rewrite(std::string_view cluster, std::string& to) const;

  std::vector<std::uint32_t> units_;
  std::string texts_;
};

// From a tokenizer.json's object, where the map is written in base 64.
std::unique_ptr<Normalizer> make_precompiled(const formats::JsonObject& fields);

// The bytes as tokenizer.json writes them.
std::string base64(std::string_view bytes);

}  // namespace hone::data
