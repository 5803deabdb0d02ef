#include "data/tokenizer/decoder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/byte_level.h"
#include "formats/json.h"

namespace hone::data {

Decoder make_decoder(const formats::Value* description, std::string_view where) {
  if (description == nullptr || description->is_null()) return Decoder::spaced;
  const formats::JsonObject fields(*description, std::string(where), "decoder");
  const std::string& type = fields.string("type");
  if (type == "ByteLevel") return Decoder::byte_level;
  if (type == "Sequence") {
    Decoder decoder = Decoder::spaced;
    for (const formats::Value& part : fields.array("decoders")) {
      const formats::Value* name = part.find("type");
      if (name != nullptr && *name == formats::Value("Fuse"))
        continue;  // bytes are one text already
      decoder = make_decoder(&part, where);
    }
    return decoder;
  }
  throw UserError({fmt::format("{}: '{}'", fields.where("type"), type),
                   "hone has ByteLevel, and Sequence of it",
                   "use a model with a byte-level BPE tokenizer"});
}

std::string decoded_bytes(Decoder decoder, std::string_view token, bool first) {
  if (decoder == Decoder::byte_level) return from_byte_letters(token);
  return first ? std::string(token) : fmt::format(" {}", token);
}

}  // namespace hone::data
