// SentencePiece's own file, tokenizer.model: a protobuf message (sentencepiece_model.proto) of
// pieces and of the settings with which they were trained.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone::data {

// Numbered as in the message; GGUF files number their token types the same way.
enum class PieceType : std::int32_t {
  normal = 1,
  unknown = 2,
  control = 3,
  user_defined = 4,
  unused = 5,
  byte = 6,
};

struct SentencePiece {
  std::string text;
  double score = 0.0;
  PieceType type = PieceType::normal;
};

// The fields that decide about ids, with the message's default values.
struct SentencePieceModel {
  enum class Kind { unigram = 1, bpe = 2, word = 3, character = 4 };

  std::vector<SentencePiece> pieces;  // by id
  Kind kind = Kind::unigram;
  bool byte_fallback = false;
  std::int64_t bos_id = 1;  // -1: none
  std::int64_t eos_id = 2;
  std::int64_t pad_id = -1;
  bool spaces_behind_words = false;  // treat_whitespace_as_suffix
  std::string charsmap;              // normalizer_spec.precompiled_charsmap
  bool add_dummy_prefix = true;
  bool remove_extra_spaces = true;
  bool escape_spaces = true;
};

// From the file's bytes. UserError when they are no such message or hold what no trained model has:
// pieces that are empty, not UTF-8, longer than 1,024 bytes or scored with no number. `name` is the
// file's, for error texts.
SentencePieceModel read_sentencepiece_model(std::string_view bytes, std::string_view name);

// The checks of the pieces alone, for pieces from elsewhere.
void check_pieces(const SentencePieceModel& model, std::string_view name);

}  // namespace hone::data
