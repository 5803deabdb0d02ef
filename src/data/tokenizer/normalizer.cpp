#include "data/tokenizer/normalizer.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <utf8proc.h>

#include "base/error.h"
#include "data/tokenizer/json_pattern.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/unicode.h"
#include "data/tokenizer/utf8.h"

namespace hone::data {

namespace {

bool is_ascii(std::string_view text) {
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) >= 0x80) return false;
  }
  return true;
}

class UnicodeForm : public Normalizer {
 public:
  explicit UnicodeForm(int options) : options_(static_cast<utf8proc_option_t>(options)) {}

  std::string normalize(std::string text) const override {
    if (is_ascii(text)) return text;  // every form leaves ASCII alone
    utf8proc_uint8_t* mapped = nullptr;
    const utf8proc_ssize_t length =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                     static_cast<utf8proc_ssize_t>(text.size()), &mapped, options_);
    const std::unique_ptr<utf8proc_uint8_t, void (*)(void*)> owner(mapped, std::free);
    HONE_ASSERT(length >= 0, length);
    return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length));
  }

 private:
  utf8proc_option_t options_;
};

// Character by character, without context, as the `tokenizers` package does.
class Lowercase : public Normalizer {
 public:
  std::string normalize(std::string text) const override {
    std::string lower;
    for_each_character(text, [&](char32_t code) {
      if (code == 0x130) {  // the one letter whose lower case is two: i and a dot above
        lower += "i\u0307";
      } else {
        append_utf8(lower,
                    static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
      }
    });
    return lower;
  }
};

class Replace : public Normalizer {
 public:
  Replace(Regex regex, std::string content)
      : regex_(std::move(regex)), content_(std::move(content)) {}

  std::string normalize(std::string text) const override {
    std::string replaced;
    std::size_t done = 0;
    for (const auto& [begin, end] : regex_.matches(text)) {
      replaced.append(text, done, begin - done);
      replaced += content_;
      done = end;
    }
    replaced.append(text, done);
    return replaced;
  }

 private:
  Regex regex_;
  std::string content_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string content) : content_(std::move(content)) {}
  std::string normalize(std::string text) const override {
    return text.empty() ? text : content_ + text;
  }

 private:
  std::string content_;
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  std::string normalize(std::string text) const override {
    const std::size_t begin = left_ ? leading_space_bytes(text) : 0;
    const std::size_t end =
        right_ ? text.size() - trailing_space_bytes(std::string_view(text).substr(begin))
               : text.size();
    return text.substr(begin, end - begin);
  }

 private:
  bool left_;
  bool right_;
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Normalizer>> parts) : parts_(std::move(parts)) {}
  std::string normalize(std::string text) const override {
    for (const std::unique_ptr<Normalizer>& part : parts_) text = part->normalize(std::move(text));
    return text;
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> parts_;
};

std::optional<int> unicode_form(std::string_view type) {
  if (type == "NFC") return UTF8PROC_STABLE | UTF8PROC_COMPOSE;
  if (type == "NFD") return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
  if (type == "NFKC") return UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT;
  if (type == "NFKD") return UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT;
  return std::nullopt;
}

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
  if (const std::optional<int> form = unicode_form(type)) {
    return std::make_unique<UnicodeForm>(*form);
  }
  if (type == "Lowercase") return std::make_unique<Lowercase>();
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
  throw UserError({fmt::format("{}: '{}'", fields.where("type"), type),
                   "hone has NFC, NFD, NFKC, NFKD, Lowercase, Replace, Prepend, Strip and Sequence",
                   "use a model with a byte-level BPE tokenizer"});
}

}  // namespace hone::data
