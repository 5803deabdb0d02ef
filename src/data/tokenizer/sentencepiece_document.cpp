#include "data/tokenizer/sentencepiece_document.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/post_processor.h"
#include "data/tokenizer/precompiled.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/utf8.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

using formats::Array;
using formats::Object;
using formats::Value;

constexpr std::string_view kSpaceMark = "\u2581";

void check(const SentencePieceModel& model, std::string_view name) {
  const auto refuse = [&](std::string found) {
    throw UserError(
        {std::string(name), std::move(found), "use a model with a BPE or Unigram tokenizer"});
  };
  if (model.kind == SentencePieceModel::Kind::word) refuse("a model of whole words");
  if (model.kind == SentencePieceModel::Kind::character) refuse("a model of single characters");
  if (model.spaces_behind_words) refuse("spaces that belong to the word before them");
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const auto [entry, fresh] = ids.emplace(model.pieces[id].text, id);
    if (!fresh) {
      refuse(fmt::format("the pieces {} and {} are both '{}'", entry->second, id,
                         formats::printable(entry->first)));
    }
  }
}

Value replace(std::string_view kind, std::string_view pattern, std::string_view content) {
  return Object{
      {"type", "Replace"}, {"pattern", Object{{std::string(kind), pattern}}}, {"content", content}};
}

// Two pieces whose texts together are a third.
Array merges(const SentencePieceModel& model) {
  std::unordered_map<std::string_view, std::size_t> normal;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type == PieceType::normal) normal.emplace(model.pieces[id].text, id);
  }
  using Ranked = std::tuple<double, std::size_t, std::string_view, std::string_view>;
  std::vector<Ranked> ranked;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePiece& piece = model.pieces[id];
    if (piece.type != PieceType::normal) continue;
    const std::string_view text = piece.text;
    for (std::size_t cut = utf8_step(text, 0).length; cut < text.size();
         cut += utf8_step(text, cut).length) {
      if (normal.count(text.substr(0, cut)) == 0 || normal.count(text.substr(cut)) == 0) continue;
      ranked.emplace_back(-piece.score, id, text.substr(0, cut), text.substr(cut));
    }
  }
  std::sort(ranked.begin(), ranked.end());
  Array made;
  made.reserve(ranked.size());
  for (const Ranked& merge : ranked) {
    made.emplace_back(Array{std::get<2>(merge), std::get<3>(merge)});
  }
  return made;
}

std::optional<std::size_t> unknown_id(const SentencePieceModel& model) {
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type == PieceType::unknown) return id;
  }
  return std::nullopt;
}

// Pieces with a space mark that are always taken whole: they cannot be found in a text before its
// spaces are marked, as the others are.
std::vector<std::string> marked_pieces(const SentencePieceModel& model) {
  std::vector<std::string> found;
  for (const SentencePiece& piece : model.pieces) {
    const bool marked = piece.text.find(kSpaceMark) != std::string::npos;
    if (piece.type == PieceType::user_defined && marked) found.push_back(piece.text);
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const std::string& left, const std::string& right) { return left.size() > right.size(); });
  return found;
}

Value bpe(const SentencePieceModel& model) {
  Object vocabulary;
  vocabulary.reserve(model.pieces.size());
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    vocabulary.push_back({model.pieces[id].text, static_cast<std::int64_t>(id)});
  }
  const std::optional<std::size_t> unknown = unknown_id(model);
  return Object{{"type", "BPE"},
                {"dropout", nullptr},
                {"unk_token", unknown ? Value(model.pieces[*unknown].text) : Value()},
                {"continuing_subword_prefix", nullptr},
                {"end_of_word_suffix", nullptr},
                {"fuse_unk", true},
                {"byte_fallback", model.byte_fallback},
                {"ignore_merges", !marked_pieces(model).empty()},
                {"vocab", std::move(vocabulary)},
                {"merges", merges(model)}};
}

Value unigram(const SentencePieceModel& model) {
  Array vocabulary;
  vocabulary.reserve(model.pieces.size());
  for (const SentencePiece& piece : model.pieces) {
    vocabulary.emplace_back(Array{piece.text, piece.score});
  }
  const std::optional<std::size_t> unknown = unknown_id(model);
  return Object{{"type", "Unigram"},
                {"unk_id", unknown ? Value(static_cast<std::int64_t>(*unknown)) : Value()},
                {"vocab", std::move(vocabulary)},
                {"byte_fallback", model.byte_fallback}};
}

Value normalizer(const SentencePieceModel& model, const SentencePieceOptions& options) {
  Array parts;
  if (!model.charsmap.empty()) {
    parts.emplace_back(
        Object{{"type", "Precompiled"}, {"precompiled_charsmap", base64(model.charsmap)}});
  }
  if (model.remove_extra_spaces) {
    parts.push_back(replace("Regex", R"(\A +| +\z)", ""));
    parts.push_back(replace("Regex", " {2,}", " "));
  }
  if (model.escape_spaces) parts.push_back(replace("String", " ", kSpaceMark));
  // Metaspace leaves out the prefix where the text begins with a mark; SentencePiece does not.
  if (model.add_dummy_prefix && options.legacy) {
    parts.push_back(replace("Regex", fmt::format(R"(\A{})", kSpaceMark),
                            fmt::format("{}{}", kSpaceMark, kSpaceMark)));
  }
  return Object{{"type", "Sequence"}, {"normalizers", std::move(parts)}};
}

Value pre_tokenizer(const SentencePieceModel& model, const SentencePieceOptions& options) {
  Array parts;
  if (model.add_dummy_prefix) {
    parts.emplace_back(Object{{"type", "Metaspace"},
                              {"replacement", kSpaceMark},
                              {"prepend_scheme", options.legacy ? "always" : "first"},
                              {"split", false}});
  }
  std::string pattern;
  for (const std::string& piece : marked_pieces(model)) {
    if (!pattern.empty()) pattern += '|';
    pattern += escape_pattern(piece);
  }
  if (!pattern.empty()) {
    parts.emplace_back(Object{{"type", "Split"},
                              {"pattern", Object{{"Regex", pattern}}},
                              {"behavior", "Isolated"},
                              {"invert", false}});
  }
  if (parts.empty()) return Value();
  return Object{{"type", "Sequence"}, {"pretokenizers", std::move(parts)}};
}

Value decoder(const SentencePieceModel& model) {
  Array parts = {replace("String", kSpaceMark, " ")};
  if (model.byte_fallback) parts.emplace_back(Object{{"type", "ByteFallback"}});
  parts.emplace_back(Object{{"type", "Fuse"}});
  if (model.add_dummy_prefix) {
    parts.emplace_back(Object{{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}});
  }
  return Object{{"type", "Sequence"}, {"decoders", std::move(parts)}};
}

Array added_tokens(const SentencePieceModel& model) {
  Array added;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const SentencePiece& piece = model.pieces[id];
    const bool special = piece.type == PieceType::control || piece.type == PieceType::unknown;
    const bool found_in_text =
        piece.type == PieceType::user_defined && piece.text.find(kSpaceMark) == std::string::npos;
    if (!special && !found_in_text) continue;
    added.emplace_back(Object{{"id", static_cast<std::int64_t>(id)},
                              {"content", piece.text},
                              {"single_word", false},
                              {"lstrip", false},
                              {"rstrip", false},
                              {"normalized", false},
                              {"special", special}});
  }
  return added;
}

}  // namespace

Value sentencepiece_document(const SentencePieceModel& model, const SentencePieceOptions& options,
                             std::string_view name) {
  check(model, name);
  const bool bos = options.bos_id.has_value();
  return Object{
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", added_tokens(model)},
      {"normalizer", normalizer(model, options)},
      {"pre_tokenizer", pre_tokenizer(model, options)},
      {"post_processor",
       bos ? bos_processor(model.pieces.at(static_cast<std::size_t>(*options.bos_id)).text,
                           *options.bos_id)
           : Value()},
      {"decoder", decoder(model)},
      {"model", model.kind == SentencePieceModel::Kind::unigram ? unigram(model) : bpe(model)}};
}

}  // namespace hone::data
