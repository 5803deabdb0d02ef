// From tokens back to text: the `decoder` of tokenizer.json.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/value.h"

namespace hone::data {

// One step of decoding at work on one list of tokens. Tokens come in one by one; behind a step that
// joins them, they are one token that comes in parts.
class DecoderStep {
 public:
  using Sink = std::function<void(std::string)>;

  virtual ~DecoderStep() = default;
  virtual void push(std::string token, const Sink& sink) = 0;
  virtual void finish(const Sink&) {}  // gives what was held back
};

// Makes a step; `joined` when a step before it joins the tokens.
using MakeDecoderStep = std::function<std::unique_ptr<DecoderStep>(bool joined)>;

struct DecoderPart {
  MakeDecoderStep make;
  bool joins = false;
};

// The steps, in order. One that changes tokens one by one waits for the end of the text when the
// tokens were joined before it, except for the shapes that models have.
struct Decoder {
  std::vector<DecoderPart> parts;
  bool byte_level = false;  // whether tokens are written in byte letters
};

// null or absent (nullptr: tokens with a space between them), ByteLevel, Replace, ByteFallback,
// Fuse, Strip, Metaspace, Sequence; any other type is refused (UserError). `where` names the file.
Decoder make_decoder(const formats::Value* description, std::string_view where);

// Decodes one list of tokens.
class DecoderRun {
 public:
  explicit DecoderRun(const Decoder& decoder);

  // The text that is certain now: whole characters. All texts together are the decoded text.
  std::string push(std::string token);
  std::string finish();

 private:
  void feed(std::size_t step, std::string token, std::string& text);

  std::vector<std::unique_ptr<DecoderStep>> steps_;
};

}  // namespace hone::data
