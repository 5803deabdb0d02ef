#include "data/tokenizer/decoder.h"

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/decoder_steps.h"
#include "data/tokenizer/json_pattern.h"
#include "data/tokenizer/metaspace.h"
#include "formats/json.h"

namespace hone::data {

namespace {

std::size_t count_of(const formats::JsonObject& fields, std::string_view key) {
  const std::int64_t count = fields.integer(key);
  if (count >= 0) return static_cast<std::size_t>(count);
  throw UserError({fields.where(key), fmt::format("{}, and it counts characters", count),
                   "take the tokenizer file that came with the model"});
}

DecoderPart make_part(const std::string& type, const formats::JsonObject& fields) {
  if (type == "ByteLevel") return byte_level_part();
  if (type == "ByteFallback") return byte_fallback_part();
  if (type == "Fuse") return fuse_part();
  if (type == "Replace") {
    return replace_part(Regex(pattern_of(fields, "pattern"), fields.where("type")),
                        fields.string("content"));
  }
  if (type == "Strip") {
    return strip_part(character_of(fields, "content"), count_of(fields, "start"),
                      count_of(fields, "stop"));
  }
  if (type == "Metaspace") {
    const Metaspace metaspace = read_metaspace(fields);
    return metaspace_part(metaspace.replacement, metaspace.scheme != Metaspace::Scheme::never);
  }
  throw UserError({fmt::format("{}: '{}'", fields.where("type"), type),
                   "hone has ByteLevel, Replace, ByteFallback, Fuse, Strip, Metaspace and Sequence",
                   "use a model with a tokenizer of these parts"});
}

void add_parts(const formats::Value& description, std::string_view where, Decoder& decoder) {
  const formats::JsonObject fields(description, std::string(where), "decoder");
  const std::string& type = fields.string("type");
  if (type == "Sequence") {
    for (const formats::Value& part : fields.array("decoders")) add_parts(part, where, decoder);
    return;
  }
  decoder.byte_level = decoder.byte_level || type == "ByteLevel";
  decoder.parts.push_back(make_part(type, fields));
}

}  // namespace

Decoder make_decoder(const formats::Value* description, std::string_view where) {
  Decoder decoder;
  if (description == nullptr || description->is_null()) {
    decoder.parts.push_back(spaced_part());
  } else {
    add_parts(*description, where, decoder);
  }
  return decoder;
}

DecoderRun::DecoderRun(const Decoder& decoder) {
  bool joined = false;
  for (const DecoderPart& part : decoder.parts) {
    steps_.push_back(part.make(joined));
    joined = joined || part.joins;
  }
}

void DecoderRun::feed(std::size_t step, std::string token, std::string& text) {
  if (step == steps_.size()) {
    text += token;
    return;
  }
  steps_[step]->push(std::move(token),
                     [&](std::string made) { feed(step + 1, std::move(made), text); });
}

std::string DecoderRun::push(std::string token) {
  std::string text;
  feed(0, std::move(token), text);
  return text;
}

std::string DecoderRun::finish() {
  std::string text;
  for (std::size_t step = 0; step < steps_.size(); ++step) {
    steps_[step]->finish([&](std::string made) { feed(step + 1, std::move(made), text); });
  }
  return text;
}

}  // namespace hone::data
