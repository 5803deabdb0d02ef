#include "data/tokenizer/tokenizer.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "data/tokenizer/utf8.h"
#include "formats/text_encoding.h"

namespace hone::data {

namespace {

void refuse_broken_text(std::string_view text) {
  const std::optional<std::size_t> broken = formats::invalid_utf8(text);
  if (!broken) return;
  throw UserError({fmt::format("a text of {} bytes to be turned into tokens", text.size()),
                   fmt::format("byte {} (0x{:02x}) is not UTF-8", *broken,
                               static_cast<unsigned>(static_cast<unsigned char>(text[*broken]))),
                   "convert the text to UTF-8"});
}

// Where user text begins and ends inside one segment, and what special tokens in it mean.
class UserText {
 public:
  UserText(const std::vector<TextRange>& ranges, bool split) : ranges_(ranges), split_(split) {}

  // Whether [begin, end) touches user text.
  bool touches(std::size_t begin, std::size_t end) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const TextRange& range) {
      return begin < range.end && range.begin < end;
    });
  }

  // Called for every special token found; whether it keeps its meaning.
  bool keep(std::size_t begin, std::size_t end) {
    if (!touches(begin, end)) return true;
    ++found_;
    return !split_;
  }

  std::size_t found() const { return found_; }
  bool split() const { return split_; }

  // Cuts [begin, end) where user text begins or ends.
  std::vector<TextRange> pieces(std::size_t begin, std::size_t end) const {
    std::vector<std::size_t> cuts = {begin, end};
    for (const TextRange& range : ranges_) {
      for (const std::size_t cut : {range.begin, range.end}) {
        if (cut > begin && cut < end) cuts.push_back(cut);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<TextRange> pieces;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i] < cuts[i + 1]) pieces.push_back({cuts[i], cuts[i + 1]});
    }
    return pieces;
  }

 private:
  const std::vector<TextRange>& ranges_;
  bool split_;
  std::size_t found_ = 0;
};

// `begins_text`: the text is the beginning of what the user gave, not a piece from further behind.
void encode_normalized(const TokenizerParts& parts, std::string_view text, bool begins_text,
                       const KeepSpecial& keep_special, std::vector<TokenId>& ids) {
  const std::size_t first_bytes = begins_text && !text.empty() ? utf8_step(text, 0).length : 0;
  TextPiece normalized{std::string(text), first_bytes};
  if (parts.normalizer) parts.normalizer->apply(normalized);
  for (const TokenOrText& piece : parts.added.cut(normalized.text, true, keep_special)) {
    if (piece.id) {
      ids.push_back(*piece.id);
      continue;
    }
    std::vector<TextPiece> words = {normalized.cut(piece.begin, piece.end)};
    if (parts.pre_tokenizer) parts.pre_tokenizer->apply(words);
    for (const TextPiece& word : words) parts.model->encode_word(word.text, ids);
  }
}

// Normalization moves bytes, so a token found after it cannot be placed in the original text. Where
// that matters (special tokens that are looked for in normalized text), the text is cut at the
// borders of user text: to encode it when it is to be split, to count its tokens otherwise.
void encode_text(const TokenizerParts& parts, std::string_view text, std::size_t offset,
                 UserText& user, std::vector<TokenId>& ids) {
  const auto keep_all = [](std::size_t, std::size_t) { return true; };
  const bool place_tokens = parts.added.any_normalized_special();
  if (!place_tokens || !user.split()) encode_normalized(parts, text, offset == 0, keep_all, ids);
  if (!place_tokens) return;
  std::vector<TokenId> counted_only;
  for (const TextRange& piece : user.pieces(offset, offset + text.size())) {
    encode_normalized(
        parts, text.substr(piece.begin - offset, piece.end - piece.begin), piece.begin == 0,
        [&](std::size_t, std::size_t) { return user.keep(piece.begin, piece.end); },
        user.split() ? ids : counted_only);
  }
}

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<TokenizerParts> parts) : parts_(std::move(parts)) {}
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;
Tokenizer::~Tokenizer() = default;

SegmentEncoding Tokenizer::encode_segment(std::string_view text,
                                          const std::vector<TextRange>& user_text,
                                          bool split_special_tokens) const {
  refuse_broken_text(text);
  SegmentEncoding encoding;
  UserText user(user_text, split_special_tokens);
  const auto keep = [&](std::size_t begin, std::size_t end) { return user.keep(begin, end); };
  for (const TokenOrText& piece : parts_->added.cut(text, false, keep)) {
    if (piece.id) {
      encoding.ids.push_back(*piece.id);
    } else {
      encode_text(*parts_, text.substr(piece.begin, piece.end - piece.begin), piece.begin, user,
                  encoding.ids);
    }
  }
  encoding.control_tokens = user.found();
  return encoding;
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  std::vector<TokenId> ids =
      encode_segment(text, {{0, text.size()}}, options.split_special_tokens).ids;
  if (!options.add_special_tokens) return ids;
  const PostProcessor& post = parts_->post_processor;
  if (!post.unsupported_type.empty()) {
    throw UserError(
        {fmt::format("{}: post_processor of type '{}'", parts_->source, post.unsupported_type),
         "hone has ByteLevel, TemplateProcessing, BertProcessing, RobertaProcessing and Sequence",
         "encode without the tokenizer's automatic special tokens"});
  }
  ids.insert(ids.begin(), post.before.begin(), post.before.end());
  ids.insert(ids.end(), post.after.begin(), post.after.end());
  return ids;
}

std::optional<TokenId> Tokenizer::token_id(std::string_view token) const {
  return parts_->id_of(token);
}

std::string Tokenizer::token_text(TokenId id) const {
  if (const AddedToken* added = parts_->added.find(id)) return added->decoded;
  const std::string* text = parts_->model->vocabulary().text(id);
  return text == nullptr ? "" : *text;
}

bool Tokenizer::is_special(TokenId id) const {
  const AddedToken* added = parts_->added.find(id);
  return added != nullptr && added->special;
}

std::size_t Tokenizer::vocabulary_size() const {
  std::size_t size = parts_->model->size();
  for (const auto& [id, token] : parts_->added.all()) {
    if (!parts_->model->vocabulary().id(token.content)) ++size;
  }
  return size;
}

std::size_t Tokenizer::id_limit() const {
  const auto& added = parts_->added.all();
  const std::size_t added_limit =
      added.empty() ? 0 : static_cast<std::size_t>(added.rbegin()->first) + 1;
  return std::max(parts_->model->vocabulary().id_limit(), added_limit);
}

const SpecialTokens& Tokenizer::special_tokens() const {
  return parts_->special_tokens;
}

namespace {

std::optional<TokenId> id_of_role(const TokenizerParts& parts,
                                  const std::optional<std::string>& token) {
  return token ? parts.id_of(*token) : std::nullopt;
}

}  // namespace

std::optional<TokenId> Tokenizer::bos_id() const {
  return id_of_role(*parts_, parts_->special_tokens.bos);
}

std::optional<TokenId> Tokenizer::eos_id() const {
  return id_of_role(*parts_, parts_->special_tokens.eos);
}

std::optional<TokenId> Tokenizer::pad_id() const {
  return id_of_role(*parts_, parts_->special_tokens.pad);
}

const std::optional<std::string>& Tokenizer::chat_template() const {
  return parts_->chat_template;
}

const std::vector<std::string>& Tokenizer::notes() const {
  return parts_->notes;
}

bool Tokenizer::ensure_special(std::string_view token) {
  const AddedToken* known = parts_->added.find(token);
  if (known != nullptr && known->special) return false;
  AddedToken added;
  if (known != nullptr) added = *known;
  added.content = token;
  added.special = true;
  const bool fresh = parts_->add_token(std::move(added));
  parts_->finish_added();
  return fresh;
}

bool Tokenizer::set_eos(std::string_view token) {
  parts_->special_tokens.eos = token;
  return ensure_special(token);
}

bool Tokenizer::set_pad(std::string_view token) {
  parts_->special_tokens.pad = token;
  return ensure_special(token);
}

bool Tokenizer::add_special_token(std::string_view token) {
  std::vector<std::string>& additional = parts_->special_tokens.additional;
  if (std::find(additional.begin(), additional.end(), token) == additional.end()) {
    additional.emplace_back(token);
  }
  return ensure_special(token);
}

void Tokenizer::set_chat_template(std::string text) {
  parts_->chat_template = std::move(text);
}

std::string Tokenizer::decode(const std::vector<TokenId>& ids, bool skip_special_tokens) const {
  StreamDecoder decoder(*this, skip_special_tokens);
  std::string text;
  for (const TokenId id : ids) text += decoder.push(id);
  return text + decoder.finish();
}

StreamDecoder::StreamDecoder(const Tokenizer& tokenizer, bool skip_special_tokens)
    : tokenizer_(tokenizer),
      skip_special_tokens_(skip_special_tokens),
      run_(std::make_unique<DecoderRun>(tokenizer.parts_->decoder)) {}

StreamDecoder::~StreamDecoder() = default;

std::string StreamDecoder::push(TokenId id) {
  if (skip_special_tokens_ && tokenizer_.is_special(id)) return {};
  std::string token = tokenizer_.token_text(id);
  if (token.empty()) return {};
  return run_->push(std::move(token));
}

std::string StreamDecoder::finish() {
  return run_->finish();
}

}  // namespace hone::data
