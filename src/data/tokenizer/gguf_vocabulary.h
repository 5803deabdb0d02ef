// The tokenizer's part of a GGUF file's metadata, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/gguf.h"

namespace hone::data {

// Keys as in the GGUF specification; what the file does not have is empty.
struct GgufVocabulary {
  std::string model;                      // tokenizer.ggml.model: "gpt2" byte-level BPE, "llama"
                                          // SentencePiece's BPE
  std::string pre;                        // tokenizer.ggml.pre
  std::vector<std::string> tokens;        // tokenizer.ggml.tokens, by id
  std::vector<std::int32_t> token_types;  // tokenizer.ggml.token_type; 3 control, 4 user-defined
  std::vector<double> scores;             // tokenizer.ggml.scores, by id (SentencePiece)
  std::vector<std::string> merges;        // tokenizer.ggml.merges, "left right", by rank
  std::optional<std::int64_t> bos_id;
  std::optional<std::int64_t> eos_id;
  std::optional<std::int64_t> pad_id;  // tokenizer.ggml.padding_token_id
  std::optional<std::int64_t> unk_id;  // tokenizer.ggml.unknown_token_id
  std::optional<bool> add_bos;         // tokenizer.ggml.add_bos_token
  std::optional<bool> add_eos;         // tokenizer.ggml.add_eos_token
  std::optional<bool> add_space_prefix;
  std::optional<std::string> chat_template;  // tokenizer.chat_template
};

// UserError when the file has no tokenizer, or when a value is of another kind.
GgufVocabulary read_gguf_vocabulary(const formats::GgufFile& file);

}  // namespace hone::data
