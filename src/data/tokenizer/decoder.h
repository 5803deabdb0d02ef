// From tokens back to bytes: the `decoder` of tokenizer.json.
#pragma once

#include <string>
#include <string_view>

#include "formats/value.h"

namespace hone::data {

enum class Decoder {
  byte_level,  // tokens are byte letters; their bytes are put together
  spaced,      // no decoder in the file: tokens with a space between them
};

// null or absent (nullptr), ByteLevel, or a Sequence of ByteLevel and Fuse; any other type is
// refused (UserError). `where` names the file.
Decoder make_decoder(const formats::Value* description, std::string_view where);

// The bytes that a token adds to what was decoded before; `first` when nothing was.
std::string decoded_bytes(Decoder decoder, std::string_view token, bool first);

}  // namespace hone::data
