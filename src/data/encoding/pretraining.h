// From texts to token ids, for pre-training (stage pt).
//
// LLaMA-Factory's rules (@ ff6d4d12, data/processor/pretrain.py): the first message's text alone,
// with the text of the EOS token behind it (of the template `llama3` always <|end_of_text|>); no
// template, no system text, no answer. Every token is learned but the ones with the pad token's id.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/tokenizer/tokenizer.h"

namespace hone::data {

// What encoding needs of the tokenizer.
struct PretrainingOptions {
  std::string end_text;          // behind every text
  std::string begin_text;        // before every text that is not packed; empty: nothing
  std::optional<TokenId> begin;  // the first id of every block, in place of what was there
  std::optional<TokenId> pad;    // has no label
};

// UserError: a tokenizer without EOS (and not llama3).
PretrainingOptions pretraining_options(const Tokenizer& tokenizer,
                                       const std::string& template_name);

// A text for packing: all of its ids.
std::vector<TokenId> encode_text(const std::string& text, const Tokenizer& tokenizer,
                                 const PretrainingOptions& options);

// A text by itself, cut to cutoff_len (which may take the EOS away). `cut_tokens`: what was cut.
Example encode_single_text(const std::string& text, const Tokenizer& tokenizer,
                           const PretrainingOptions& options, std::int64_t cutoff_len,
                           std::int64_t& cut_tokens);

// Labels of these ids: the ids, without those of the pad token.
Example learned_everywhere(std::vector<TokenId> ids, const PretrainingOptions& options);

}  // namespace hone::data
