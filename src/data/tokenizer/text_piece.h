// A piece of a text on its way from the user to the model.
#pragma once

#include <cstddef>
#include <string>

namespace hone::data {

struct TextPiece {
  std::string text;
  // How many of its leading bytes stem from the first character of the whole text; 0 for a piece
  // from further behind. Metaspace's prefix scheme "first" asks for it, and the `tokenizers`
  // package answers from the piece's place in the original text.
  std::size_t first_bytes = 0;

  // Bytes [begin, end) as a piece of its own.
  TextPiece cut(std::size_t begin, std::size_t end) const {
    return {text.substr(begin, end - begin), first_bytes > begin ? first_bytes - begin : 0};
  }
};

}  // namespace hone::data
