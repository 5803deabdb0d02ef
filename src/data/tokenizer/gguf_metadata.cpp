// read_gguf_vocabulary: the keys `tokenizer.*` of a GGUF file.
#include "data/tokenizer/gguf_vocabulary.h"

namespace hone::data {

namespace {

std::vector<std::string> copied(const std::vector<std::string_view>& views) {
  return {views.begin(), views.end()};
}

std::optional<std::string> copied(std::optional<std::string_view> view) {
  return view ? std::optional<std::string>(*view) : std::nullopt;
}

}  // namespace

GgufVocabulary read_gguf_vocabulary(const formats::GgufFile& file) {
  GgufVocabulary vocabulary;
  vocabulary.model = file.string("tokenizer.ggml.model");
  vocabulary.pre = file.optional_string("tokenizer.ggml.pre").value_or("");
  vocabulary.tokens = copied(file.strings("tokenizer.ggml.tokens"));
  if (file.find("tokenizer.ggml.token_type") != nullptr) {
    for (const std::int64_t type : file.integers("tokenizer.ggml.token_type")) {
      vocabulary.token_types.push_back(static_cast<std::int32_t>(type));
    }
  }
  if (file.find("tokenizer.ggml.scores") != nullptr) {
    vocabulary.scores = file.numbers("tokenizer.ggml.scores");
  }
  // A tokenizer of another model has none; the model is refused later, by its name.
  if (file.find("tokenizer.ggml.merges") != nullptr) {
    vocabulary.merges = copied(file.strings("tokenizer.ggml.merges"));
  }
  vocabulary.bos_id = file.optional_integer("tokenizer.ggml.bos_token_id");
  vocabulary.eos_id = file.optional_integer("tokenizer.ggml.eos_token_id");
  vocabulary.pad_id = file.optional_integer("tokenizer.ggml.padding_token_id");
  vocabulary.unk_id = file.optional_integer("tokenizer.ggml.unknown_token_id");
  vocabulary.add_bos = file.optional_boolean("tokenizer.ggml.add_bos_token");
  vocabulary.add_eos = file.optional_boolean("tokenizer.ggml.add_eos_token");
  vocabulary.add_space_prefix = file.optional_boolean("tokenizer.ggml.add_space_prefix");
  vocabulary.chat_template = copied(file.optional_string("tokenizer.chat_template"));
  return vocabulary;
}

}  // namespace hone::data
