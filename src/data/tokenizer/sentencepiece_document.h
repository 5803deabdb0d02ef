// A SentencePiece model as a tokenizer.json, so that what is used and what is saved are one.
#pragma once

#include <optional>
#include <string_view>

#include "data/tokenizer/sentencepiece_model.h"
#include "formats/value.h"

namespace hone::data {

struct SentencePieceOptions {
  // LLaMA's `legacy`: whether the dummy prefix is put before every stretch of text between control
  // tokens (true), or only before the one with which a text begins.
  bool legacy = false;
  // The token that the file's post-processor puts in front, if any.
  std::optional<std::int64_t> bos_id;
};

// Encodes like SentencePiece itself, with one difference that transformers and llama.cpp make too:
// control tokens are found in the text. Merges, which the file does not list, are all cuts of a
// normal piece into two normal pieces, by falling score of the piece. The pieces must have passed
// check_pieces(). UserError for kinds of models that hone does not have; `name` is the file's.
formats::Value sentencepiece_document(const SentencePieceModel& model,
                                      const SentencePieceOptions& options, std::string_view name);

}  // namespace hone::data
