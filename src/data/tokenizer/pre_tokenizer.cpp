#include "data/tokenizer/pre_tokenizer.h"

#include <functional>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/byte_level.h"
#include "data/tokenizer/json_pattern.h"
#include "data/tokenizer/metaspace.h"
#include "data/tokenizer/regex.h"
#include "data/tokenizer/split_behavior.h"
#include "data/tokenizer/unicode.h"

namespace hone::data {

namespace {

// GPT-2's pattern, which ByteLevel has built in.
constexpr std::string_view kByteLevelPattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Cuts by the matches of something, in one of the five ways.
class Cutter : public PreTokenizer {
 public:
  using Find = std::function<std::vector<Span>(std::string_view)>;
  Cutter(Find find, SplitBehavior behavior, bool invert)
      : find_(std::move(find)), behavior_(behavior), invert_(invert) {}

  void apply(std::vector<TextPiece>& pieces) const override {
    std::vector<TextPiece> cut;
    for (const TextPiece& piece : pieces) {
      const std::string& text = piece.text;
      for (const auto& [begin, end] : split(text.size(), find_(text), behavior_, invert_)) {
        cut.push_back(piece.cut(begin, end));
      }
    }
    pieces = std::move(cut);
  }

 private:
  Find find_;
  SplitBehavior behavior_;
  bool invert_;
};

void prepend(TextPiece& piece, std::string_view text) {
  std::string longer(text);
  longer += piece.text;
  piece.text = std::move(longer);
  if (piece.first_bytes > 0) piece.first_bytes += text.size();
}

class ByteLevel : public PreTokenizer {
 public:
  ByteLevel(bool add_prefix_space, std::unique_ptr<PreTokenizer> words)
      : add_prefix_space_(add_prefix_space), words_(std::move(words)) {}

  void apply(std::vector<TextPiece>& pieces) const override {
    for (TextPiece& piece : pieces) {
      if (add_prefix_space_ && piece.text.front() != ' ') prepend(piece, " ");
    }
    if (words_) words_->apply(pieces);
    for (TextPiece& piece : pieces) {
      const std::string_view text = piece.text;
      const std::size_t first = to_byte_letters(text.substr(0, piece.first_bytes)).size();
      piece = {to_byte_letters(text), first};
    }
  }

 private:
  bool add_prefix_space_;
  std::unique_ptr<PreTokenizer> words_;
};

// Spaces become the mark, and words begin with it.
class MarkSpaces : public PreTokenizer {
 public:
  explicit MarkSpaces(Metaspace metaspace) : metaspace_(std::move(metaspace)) {}

  void apply(std::vector<TextPiece>& pieces) const override {
    for (TextPiece& piece : pieces) mark(piece);
    if (!metaspace_.split) return;
    std::vector<TextPiece> cut;
    for (const TextPiece& piece : pieces) {
      const std::string& text = piece.text;
      for (const auto& [begin, end] :
           split(text.size(), marks(text), SplitBehavior::merged_with_next, false)) {
        cut.push_back(piece.cut(begin, end));
      }
    }
    pieces = std::move(cut);
  }

 private:
  void mark(TextPiece& piece) const {
    TextPiece marked;
    for (std::size_t i = 0; i < piece.text.size(); ++i) {
      if (piece.text[i] == ' ') {
        marked.text += metaspace_.replacement;
      } else {
        marked.text += piece.text[i];
      }
      if (i < piece.first_bytes) marked.first_bytes = marked.text.size();
    }
    const bool wanted = metaspace_.scheme == Metaspace::Scheme::always ||
                        (metaspace_.scheme == Metaspace::Scheme::first && piece.first_bytes > 0);
    if (wanted && marked.text.rfind(metaspace_.replacement, 0) != 0) {
      prepend(marked, metaspace_.replacement);
    }
    piece = std::move(marked);
  }

  std::vector<Span> marks(std::string_view text) const {
    const std::string& mark = metaspace_.replacement;
    std::vector<Span> found;
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + mark.size())) {
      found.emplace_back(at, at + mark.size());
    }
    return found;
  }

  Metaspace metaspace_;
};

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> parts) : parts_(std::move(parts)) {}
  void apply(std::vector<TextPiece>& pieces) const override {
    for (const std::unique_ptr<PreTokenizer>& part : parts_) part->apply(pieces);
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> parts_;
};

std::unique_ptr<PreTokenizer> cut_by_pattern(std::string_view pattern, std::string_view where,
                                             SplitBehavior behavior, bool invert) {
  auto regex = std::make_shared<const Regex>(pattern, where);
  return std::make_unique<Cutter>([regex](std::string_view text) { return regex->matches(text); },
                                  behavior, invert);
}

// Each character of the class is a match by itself.
std::unique_ptr<PreTokenizer> cut_by_class(bool (*belongs)(char32_t), SplitBehavior behavior) {
  const auto find = [belongs](std::string_view text) {
    std::vector<Span> found;
    for (std::size_t offset = 0; offset < text.size();) {
      const Utf8Step step = utf8_step(text, offset);
      if (belongs(step.code)) found.emplace_back(offset, offset + step.length);
      offset += step.length;
    }
    return found;
  };
  return std::make_unique<Cutter>(find, behavior, false);
}

std::unique_ptr<PreTokenizer> make_byte_level(const formats::JsonObject& fields) {
  std::unique_ptr<PreTokenizer> words;
  if (fields.optional_boolean("use_regex").value_or(true)) {
    words = cut_by_pattern(kByteLevelPattern, fields.where("type"), SplitBehavior::isolated, false);
  }
  return std::make_unique<ByteLevel>(fields.optional_boolean("add_prefix_space").value_or(true),
                                     std::move(words));
}

std::unique_ptr<PreTokenizer> make_sequence(const formats::JsonObject& fields,
                                            std::string_view where) {
  std::vector<std::unique_ptr<PreTokenizer>> parts;
  for (const formats::Value& part : fields.array("pretokenizers")) {
    std::unique_ptr<PreTokenizer> made = make_pre_tokenizer(&part, where);
    if (made) parts.push_back(std::move(made));
  }
  return std::make_unique<Sequence>(std::move(parts));
}

std::unique_ptr<PreTokenizer> make_bert() {
  std::vector<std::unique_ptr<PreTokenizer>> parts;
  parts.push_back(cut_by_class(is_space, SplitBehavior::removed));
  parts.push_back(cut_by_class(is_punctuation, SplitBehavior::isolated));
  return std::make_unique<Sequence>(std::move(parts));
}

// The types that cut by patterns and classes of characters; nullptr for another one.
std::unique_ptr<PreTokenizer> make_cutter(std::string_view type,
                                          const formats::JsonObject& fields) {
  if (type == "Split") {
    return cut_by_pattern(pattern_of(fields, "pattern"), fields.where("type"),
                          split_behavior(fields.string("behavior"), fields.where("type")),
                          fields.optional_boolean("invert").value_or(false));
  }
  if (type == "Digits") {
    return cut_by_class(is_numeric, fields.optional_boolean("individual_digits").value_or(false)
                                        ? SplitBehavior::isolated
                                        : SplitBehavior::contiguous);
  }
  if (type == "Whitespace") {
    return cut_by_pattern(R"(\w+|[^\w\s]+)", fields.where("type"), SplitBehavior::removed, true);
  }
  if (type == "WhitespaceSplit") return cut_by_class(is_space, SplitBehavior::removed);
  if (type == "CharDelimiterSplit") {
    return cut_by_pattern(escape_pattern(fields.string("delimiter")), fields.where("type"),
                          SplitBehavior::removed, false);
  }
  if (type == "Punctuation") {
    return cut_by_class(is_punctuation,
                        split_behavior(fields.optional_string("behavior").value_or("Isolated"),
                                       fields.where("type")));
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<PreTokenizer> make_pre_tokenizer(const formats::Value* description,
                                                 std::string_view where) {
  if (description == nullptr || description->is_null()) return nullptr;
  const formats::JsonObject fields(*description, std::string(where), "pre_tokenizer");
  const std::string& type = fields.string("type");
  if (type == "ByteLevel") return make_byte_level(fields);
  if (type == "Metaspace") return std::make_unique<MarkSpaces>(read_metaspace(fields));
  if (type == "Sequence") return make_sequence(fields, where);
  if (type == "BertPreTokenizer") return make_bert();
  if (std::unique_ptr<PreTokenizer> cutter = make_cutter(type, fields)) return cutter;
  throw UserError(
      {fmt::format("{}: '{}'", fields.where("type"), type),
       "hone has ByteLevel, Metaspace, Split, Digits, Whitespace, WhitespaceSplit, Punctuation, "
       "BertPreTokenizer, CharDelimiterSplit and Sequence",
       "use a model with a tokenizer of these parts"});
}

}  // namespace hone::data
