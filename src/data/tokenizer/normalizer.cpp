#include "data/tokenizer/normalizer.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/character_normalizer.h"
#include "data/tokenizer/json_pattern.h"
#include "data/tokenizer/precompiled.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/unicode.h"

namespace hone::data {

namespace {

class Replace : public Normalizer {
 public:
  Replace(Regex regex, std::string content)
      : regex_(std::move(regex)), content_(std::move(content)) {}

  void apply(TextPiece& piece) const override {
    const std::string& text = piece.text;
    std::string replaced;
    std::size_t first = 0;
    std::size_t done = 0;
    const auto keep = [&](std::size_t end) {
      replaced.append(text, done, end - done);
      if (done < piece.first_bytes) first += std::min(end, piece.first_bytes) - done;
      done = end;
    };
    for (const auto& [begin, end] : regex_.matches(text)) {
      keep(begin);
      replaced += content_;
      // New text belongs to the last character that it replaces.
      if (end <= piece.first_bytes) first += content_.size();
      done = end;
    }
    keep(text.size());
    piece = {std::move(replaced), first};
  }

 private:
  Regex regex_;
  std::string content_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string content) : content_(std::move(content)) {}
  void apply(TextPiece& piece) const override {
    if (piece.text.empty()) return;
    piece.text.insert(0, content_);
    if (piece.first_bytes > 0) piece.first_bytes += content_.size();
  }

 private:
  std::string content_;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  void apply(TextPiece& piece) const override {
    const std::string_view text = piece.text;
    const std::size_t begin = left_ ? leading_space_bytes(text) : 0;
    const std::size_t end =
        right_ ? text.size() - trailing_space_bytes(text.substr(begin)) : text.size();
    piece = piece.cut(begin, end);
  }

 private:
  bool left_;
  bool right_;
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Normalizer>> parts) : parts_(std::move(parts)) {}
  void apply(TextPiece& piece) const override {
    for (const std::unique_ptr<Normalizer>& part : parts_) part->apply(piece);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> parts_;
};

std::unique_ptr<Normalizer> make_sequence(const formats::JsonObject& fields,
                                          std::string_view where) {
  std::vector<std::unique_ptr<Normalizer>> parts;
  for (const formats::Value& part : fields.array("normalizers")) {
    std::unique_ptr<Normalizer> made = make_normalizer(&part, where);
    if (made) parts.push_back(std::move(made));
  }
  return std::make_unique<Sequence>(std::move(parts));
}

}  // namespace

std::unique_ptr<Normalizer> make_normalizer(const formats::Value* description,
                                            std::string_view where) {
  if (description == nullptr || description->is_null()) return nullptr;
  const formats::JsonObject fields(*description, std::string(where), "normalizer");
  const std::string& type = fields.string("type");
  if (std::unique_ptr<Normalizer> form = make_unicode_form(type)) return form;
  if (std::unique_ptr<Normalizer> made = make_character_normalizer(type, fields)) return made;
  if (type == "Precompiled") return make_precompiled(fields);
  if (type == "Prepend") return std::make_unique<Prepend>(fields.string("prepend"));
  if (type == "Strip") {
    return std::make_unique<Strip>(fields.optional_boolean("strip_left").value_or(true),
                                   fields.optional_boolean("strip_right").value_or(true));
  }
  if (type == "Replace") {
    return std::make_unique<Replace>(Regex(pattern_of(fields, "pattern"), fields.where("type")),
                                     fields.string("content"));
  }
  if (type == "Sequence") return make_sequence(fields, where);
  throw UserError(
      {fmt::format("{}: '{}'", fields.where("type"), type),
       "hone has NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Nmt, BertNormalizer, Precompiled, "
       "Replace, Prepend, Strip and Sequence",
       "use a model with a tokenizer of these parts"});
}

}  // namespace hone::data
