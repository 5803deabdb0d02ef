#include "data/tokenizer/character_normalizer.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>
#include <vector>

#include <utf8proc.h>

#include "base/error.h"
#include "data/tokenizer/unicode.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
}

utf8proc_category_t category(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

class UnicodeForm : public Normalizer {
 public:
  explicit UnicodeForm(int options) : options_(static_cast<utf8proc_option_t>(options)) {}

  void apply(TextPiece& piece) const override {
    if (is_ascii(piece.text)) return;  // every form leaves ASCII alone
    const std::size_t first = form(piece.text.substr(0, piece.first_bytes)).size();
    piece.text = form(piece.text);
    piece.first_bytes = std::min(first, piece.text.size());
  }

 private:
  std::string form(const std::string& text) const {
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &mapped, options_);
    const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(mapped, std::free);
    HONE_ASSERT(length >= 0, length);
    return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length));
  }

  utf8proc_option_t options_;
};

// Writes what stands for a character.
using Rewrite = std::function<void(char32_t code, std::string& to)>;

class ByCharacter : public Normalizer {
 public:
  explicit ByCharacter(Rewrite rewrite) : rewrite_(std::move(rewrite)) {}

  void apply(TextPiece& piece) const override {
    std::string rewritten;
    rewritten.reserve(piece.text.size());
    std::size_t first = 0;
    for (std::size_t offset = 0; offset < piece.text.size();) {
      const Utf8Step step = utf8_step(piece.text, offset);
      rewrite_(step.code, rewritten);
      offset += step.length;
      if (offset <= piece.first_bytes) first = rewritten.size();
    }
    piece = {std::move(rewritten), first};
  }

 private:
  Rewrite rewrite_;
};

class InOrder : public Normalizer {
 public:
  explicit InOrder(std::vector<std::unique_ptr<Normalizer>> parts) : parts_(std::move(parts)) {}
  void apply(TextPiece& piece) const override {
    for (const std::unique_ptr<Normalizer>& part : parts_) part->apply(piece);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> parts_;
};

void lower(char32_t code, std::string& to) {
  if (code == 0x130) {  // the one letter whose lower case is two: i and a dot above
    to += "i\u0307";
  } else {
    append_utf8(to, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
  }
}

void without_mark(char32_t code, std::string& to) {
  const utf8proc_category_t found = category(code);
  if (found < UTF8PROC_CATEGORY_MN || found > UTF8PROC_CATEGORY_ME) append_utf8(to, code);
}

void without_nonspacing_mark(char32_t code, std::string& to) {
  if (category(code) != UTF8PROC_CATEGORY_MN) append_utf8(to, code);
}

// SentencePiece's "nmt" rules: control characters vanish, white space and what is like it becomes a
// space.
void nmt(char32_t code, std::string& to) {
  const bool vanishes = (code >= 0x1 && code <= 0x8) || code == 0xb ||
                        (code >= 0xe && code <= 0x1f) || code == 0x7f || code == 0x8f ||
                        code == 0x9f;
  if (vanishes) return;
  const bool space = code == 0x9 || code == 0xa || code == 0xc || code == 0xd || code == 0x1680 ||
                     (code >= 0x200b && code <= 0x200f) || code == 0x2028 || code == 0x2029 ||
                     code == 0x2581 || code == 0xfeff || code == 0xfffd;
  append_utf8(to, space ? U' ' : code);
}

void bert_clean(char32_t code, std::string& to) {
  const bool plain_space = code == '\t' || code == '\n' || code == '\r';
  const utf8proc_category_t found = category(code);
  const bool control = !plain_space && found >= UTF8PROC_CATEGORY_CC;
  if (code == 0 || code == 0xfffd || control) return;
  append_utf8(to, plain_space || is_space(code) ? U' ' : code);
}

bool is_ideograph(char32_t code) {
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf) ||
         (code >= 0x20000 && code <= 0x2a6df) || (code >= 0x2a700 && code <= 0x2b73f) ||
         (code >= 0x2b740 && code <= 0x2b81f) || (code >= 0x2b920 && code <= 0x2ceaf) ||
         (code >= 0xf900 && code <= 0xfaff) || (code >= 0x2f800 && code <= 0x2fa1f);
}

void space_around_ideograph(char32_t code, std::string& to) {
  if (is_ideograph(code)) to += ' ';
  append_utf8(to, code);
  if (is_ideograph(code)) to += ' ';
}

std::unique_ptr<Normalizer> make_bert(const formats::JsonObject& fields) {
  std::vector<std::unique_ptr<Normalizer>> parts;
  const auto add = [&](Rewrite rewrite) {
    parts.push_back(std::make_unique<ByCharacter>(std::move(rewrite)));
  };
  const bool lowercase = fields.optional_boolean("lowercase").value_or(true);
  if (fields.optional_boolean("clean_text").value_or(true)) add(bert_clean);
  if (fields.optional_boolean("handle_chinese_chars").value_or(true)) add(space_around_ideograph);
  if (fields.optional_boolean("strip_accents").value_or(lowercase)) {
    parts.push_back(make_unicode_form("NFD"));
    add(without_nonspacing_mark);
  }
  if (lowercase) add(lower);
  return std::make_unique<InOrder>(std::move(parts));
}

}  // namespace

std::unique_ptr<Normalizer> make_unicode_form(std::string_view type) {
  std::optional<int> form;
  if (type == "NFC") form = UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  if (type == "NFD") form = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
  if (type == "NFKC") form = UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
  if (type == "NFKD") form = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
  return form ? std::make_unique<UnicodeForm>(*form) : nullptr;
}

std::unique_ptr<Normalizer> make_character_normalizer(std::string_view type,
                                                      const formats::JsonObject& fields) {
  if (type == "Lowercase") return std::make_unique<ByCharacter>(lower);
  if (type == "StripAccents") return std::make_unique<ByCharacter>(without_mark);
  if (type == "Nmt") return std::make_unique<ByCharacter>(nmt);
  if (type == "BertNormalizer") return make_bert(fields);
  return nullptr;
}

}  // namespace hone::data
