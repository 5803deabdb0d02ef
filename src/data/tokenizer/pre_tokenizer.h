// How a text is cut into the pieces that the model turns into ids one by one: the `pre_tokenizer`
// of tokenizer.json.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "data/tokenizer/text_piece.h"
#include "formats/value.h"

namespace hone::data {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Cuts each piece further; the pieces stay in order, none is empty. ByteLevel also rewrites them
  // in byte letters, Metaspace the spaces in them.
  virtual void apply(std::vector<TextPiece>& pieces) const = 0;
};

// From the file's object; nullptr for null or absent (nullptr). ByteLevel, Metaspace,
// Split, Digits, Whitespace, WhitespaceSplit, Punctuation, BertPreTokenizer, CharDelimiterSplit,
// Sequence; any other type is refused (UserError). `where` names the file.
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const formats::Value* description,
                                                 std::string_view where);

}  // namespace hone::data
