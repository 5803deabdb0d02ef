// The steps of which decoders are made, each as the `tokenizers` package defines it.
#pragma once

#include <cstddef>
#include <string>

#include "data/tokenizer/decoder.h"
#include "data/tokenizer/regex.h"

namespace hone::data {

// Byte letters back to bytes, all tokens to one text; what is not UTF-8 becomes U+FFFD.
DecoderPart byte_level_part();

// Neighbouring tokens like <0x1F> become one text of their bytes or, when these are not UTF-8, one
// U+FFFD per byte.
DecoderPart byte_fallback_part();

// All tokens become one.
DecoderPart fuse_part();

DecoderPart replace_part(Regex pattern, std::string content);

// Takes up to `start` of the character `content` from the beginning of each token and up to `stop`
// from its end.
DecoderPart strip_part(std::string content, std::size_t start, std::size_t stop);

// Marks become spaces; those of the first token vanish when `prefixed`.
DecoderPart metaspace_part(std::string mark, bool prefixed);

// No decoder: tokens with a space between them.
DecoderPart spaced_part();

}  // namespace hone::data
