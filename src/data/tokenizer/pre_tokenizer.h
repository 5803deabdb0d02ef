// How a text is cut into the pieces inside which BPE merges: the `pre_tokenizer` of tokenizer.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/value.h"

namespace hone::data {

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Cuts each piece further; the pieces stay in order, none is empty. ByteLevel also rewrites them
  // in byte letters.
  virtual void apply(std::vector<std::string>& pieces) const = 0;
};

// From the file's object; nullptr for null or absent (nullptr). ByteLevel, Split, Digits,
// Whitespace, WhitespaceSplit, Punctuation, Sequence; any other type is refused (UserError).
std::unique_ptr<PreTokenizer> make_pre_tokenizer(const formats::Value* description,
                                                 std::string_view where);

}  // namespace hone::data
