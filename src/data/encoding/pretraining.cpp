#include "data/encoding/pretraining.h"

#include <algorithm>

#include "base/error.h"

namespace hone::data {

PretrainingOptions pretraining_options(const Tokenizer& tokenizer,
                                       const std::string& template_name) {
  PretrainingOptions options;
  options.pad = tokenizer.pad_id();
  if (template_name == "llama3") {
    options.end_text = "<|end_of_text|>";
  } else if (tokenizer.special_tokens().eos) {
    options.end_text = *tokenizer.special_tokens().eos;
  } else {
    throw UserError({"stage: pt", "texts end with the tokenizer's EOS token, and it has none",
                     "name an eos_token in tokenizer_config.json"});
  }
  const std::optional<TokenId> begin = tokenizer.bos_id();
  if (tokenizer.special_tokens().add_bos && begin) {
    options.begin = begin;
    options.begin_text = *tokenizer.special_tokens().bos;
  }
  return options;
}

std::vector<TokenId> encode_text(const std::string& text, const Tokenizer& tokenizer,
                                 const PretrainingOptions& options) {
  return tokenizer.encode(text + options.end_text);
}

Example learned_everywhere(std::vector<TokenId> ids, const PretrainingOptions& options) {
  Example example;
  example.labels = ids;
  if (options.pad) {
    std::replace(example.labels.begin(), example.labels.end(), *options.pad, kIgnoreLabel);
  }
  example.tokens = std::move(ids);
  return example;
}

Example encode_single_text(const std::string& text, const Tokenizer& tokenizer,
                           const PretrainingOptions& options, std::int64_t cutoff_len,
                           std::int64_t& cut_tokens) {
  std::vector<TokenId> ids = tokenizer.encode(options.begin_text + text + options.end_text);
  const auto length = static_cast<std::int64_t>(ids.size());
  cut_tokens = std::max<std::int64_t>(length - cutoff_len, 0);
  ids.resize(static_cast<std::size_t>(length - cut_tokens));
  return learned_everywhere(std::move(ids), options);
}

}  // namespace hone::data
