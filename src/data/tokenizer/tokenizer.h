// From text to token ids and back, with the ids that the ecosystem's `tokenizers` package gives.
//
// BPE (byte-level, and SentencePiece's with byte fallback) and Unigram, read from a model folder
// (tokenizer.json, else SentencePiece's tokenizer.model, with the roles of tokenizer_config.json
// and special_tokens_map.json) or from the metadata of a GGUF file. Other tokenizer models
// (WordPiece, WordLevel) are refused by name.
//
// Texts are UTF-8; text that is not is refused (UserError) with the offset of the first wrong byte.
// The const functions may be called from several threads at once; the functions that change the
// tokenizer (template fixing) may not run beside anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/tokenizer/special_tokens.h"

namespace hone::data {

class DecoderRun;
struct TokenizerParts;
struct GgufVocabulary;

using TokenId = std::int32_t;

struct EncodeOptions {
  // Run the file's post-processor too (it may add BOS or EOS). Templates never ask for it: they own
  // these tokens.
  bool add_special_tokens = false;
  // Read the text of special tokens as ordinary text. Added tokens that are not special are still
  // recognised, as in transformers.
  bool split_special_tokens = false;
};

// Bytes [begin, end) of a text.
struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct SegmentEncoding {
  std::vector<TokenId> ids;
  // How many special tokens stand in the user's parts of the text, whether or not they were split.
  std::size_t control_tokens = 0;
};

// One file of a saved tokenizer: its name in the output folder and its bytes.
struct TokenizerFile {
  std::string name;
  std::string content;
};

class Tokenizer {
 public:
  // Reads tokenizer.json (or tokenizer.model) and its companions. UserError when a file is missing,
  // malformed, or asks for a part that hone does not have.
  static Tokenizer from_folder(const std::filesystem::path& folder);

  // From a GGUF's metadata; `source` names the file in error texts.
  static Tokenizer from_gguf(const GgufVocabulary& vocabulary, std::string_view source);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  std::vector<TokenId> encode(std::string_view text, const EncodeOptions& options = {}) const;

  // Encodes a text of which the ranges `user_text` (ascending, not overlapping) were written by the
  // user and the rest by a template. Without `split_special_tokens` the ids are those of encode().
  // With it, special tokens inside user text are read as ordinary text, and the template's own keep
  // their meaning.
  SegmentEncoding encode_segment(std::string_view text, const std::vector<TextRange>& user_text,
                                 bool split_special_tokens) const;

  // Bytes that are no UTF-8 become U+FFFD; ids without a token give nothing.
  std::string decode(const std::vector<TokenId>& ids, bool skip_special_tokens) const;

  std::optional<TokenId> token_id(std::string_view token) const;
  // The token as the vocabulary spells it (byte-level letters, space marks); empty for an id
  // without a token.
  std::string token_text(TokenId id) const;
  bool is_special(TokenId id) const;

  // How many tokens there are, added ones included: transformers' len(tokenizer).
  std::size_t vocabulary_size() const;
  // One above the largest id in use: what an embedding must have as rows.
  std::size_t id_limit() const;

  const SpecialTokens& special_tokens() const;
  std::optional<TokenId> bos_id() const;
  std::optional<TokenId> eos_id() const;
  std::optional<TokenId> pad_id() const;

  // The Jinja text that came with the model, or that template fixing set.
  const std::optional<std::string>& chat_template() const;
  // Sentences about what was read that the user should know; usually none.
  const std::vector<std::string>& notes() const;

  // Template fixing. A token that is not in the vocabulary is added to its end as a special token;
  // each function returns whether it had to be.
  bool set_eos(std::string_view token);
  bool set_pad(std::string_view token);
  bool add_special_token(std::string_view token);  // kept among the additional special tokens
  void set_chat_template(std::string text);

  // What transformers reads as this tokenizer with these ids: tokenizer.json,
  // tokenizer_config.json, special_tokens_map.json and, with a chat template, chat_template.jinja.
  std::vector<TokenizerFile> files() const;

 private:
  friend class StreamDecoder;
  explicit Tokenizer(std::unique_ptr<TokenizerParts> parts);
  bool ensure_special(std::string_view token);

  std::unique_ptr<TokenizerParts> parts_;
};

// Decodes ids one by one, for streaming. The texts that push() and finish() return, put together,
// are decode() of all the ids. What later ids may still change is held back: the bytes of an
// unfinished character, and a run of byte tokens (<0x1F>) until another token follows.
class StreamDecoder {
 public:
  StreamDecoder(const Tokenizer& tokenizer, bool skip_special_tokens);
  ~StreamDecoder();

  std::string push(TokenId id);
  std::string finish();

 private:
  const Tokenizer& tokenizer_;
  bool skip_special_tokens_;
  std::unique_ptr<DecoderRun> run_;
};

}  // namespace hone::data
