#include "data/tokenizer/sentencepiece_model.h"

#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/wire_reader.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

constexpr std::string_view kRemedy =
    "take the tokenizer file that came with the model, or the model's tokenizer.json";

// Every cut of a piece in two may be a merge.
constexpr std::size_t kLongestPieceBytes = 1024;

SentencePiece read_piece(WireReader reader, std::string_view name) {
  SentencePiece piece;
  while (!reader.at_end()) {
    const WireReader::Field field = reader.next();
    if (field.number == 1) piece.text = reader.text(field);
    if (field.number == 2) piece.score = reader.float32(field);
    if (field.number == 3) {
      const std::int64_t type = reader.integer(field);
      if (type < 1 || type > 6) {
        throw UserError(
            {std::string(name), fmt::format("a piece of the type {}", type), std::string(kRemedy)});
      }
      piece.type = static_cast<PieceType>(type);
    }
  }
  return piece;
}

void read_trainer(WireReader reader, std::string_view name, SentencePieceModel& model) {
  while (!reader.at_end()) {
    const WireReader::Field field = reader.next();
    switch (field.number) {
      case 3: {
        const std::int64_t kind = reader.integer(field);
        if (kind < 1 || kind > 4) {
          throw UserError(
              {std::string(name), fmt::format("the model type {}", kind), std::string(kRemedy)});
        }
        model.kind = static_cast<SentencePieceModel::Kind>(kind);
        break;
      }
      case 24:
        model.spaces_behind_words = reader.integer(field) != 0;
        break;
      case 35:
        model.byte_fallback = reader.integer(field) != 0;
        break;
      case 41:
        model.bos_id = reader.integer(field);
        break;
      case 42:
        model.eos_id = reader.integer(field);
        break;
      case 43:
        model.pad_id = reader.integer(field);
        break;
      default:
        break;
    }
  }
}

void read_normalizer(WireReader reader, SentencePieceModel& model) {
  while (!reader.at_end()) {
    const WireReader::Field field = reader.next();
    if (field.number == 2) model.charsmap = reader.text(field);
    if (field.number == 3) model.add_dummy_prefix = reader.integer(field) != 0;
    if (field.number == 4) model.remove_extra_spaces = reader.integer(field) != 0;
    if (field.number == 5) model.escape_spaces = reader.integer(field) != 0;
  }
}

}  // namespace

void check_pieces(const SentencePieceModel& model, std::string_view name) {
  const auto refuse = [&](std::size_t id, std::string found) {
    throw UserError(
        {fmt::format("{}: piece {}", name, id), std::move(found), std::string(kRemedy)});
  };
  if (model.pieces.empty())
    throw UserError({std::string(name), "it has no pieces", std::string(kRemedy)});
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePiece& piece = model.pieces[id];
    if (piece.text.empty()) refuse(id, "it is empty");
    if (piece.text.size() > kLongestPieceBytes) {
      refuse(id, fmt::format("it has {} bytes, and {} is the most that hone reads",
                             piece.text.size(), kLongestPieceBytes));
    }
    if (formats::invalid_utf8(piece.text)) refuse(id, "it is not UTF-8");
    if (!std::isfinite(piece.score)) refuse(id, "its score is no number");
  }
}

SentencePieceModel read_sentencepiece_model(std::string_view bytes, std::string_view name) {
  SentencePieceModel model;
  WireReader reader(bytes, name);
  while (!reader.at_end()) {
    const WireReader::Field field = reader.next();
    if (field.number == 1) model.pieces.push_back(read_piece(reader.message(field), name));
    if (field.number == 2) read_trainer(reader.message(field), name, model);
    if (field.number == 3) read_normalizer(reader.message(field), model);
  }
  check_pieces(model, name);
  return model;
}

}  // namespace hone::data
