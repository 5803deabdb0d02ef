// Tokenizer::from_folder: the files of a model folder.
#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/tokenizer.h"
#include "data/tokenizer/tokenizer_parts.h"
#include "formats/json.h"
#include "formats/regular_file.h"
#include "formats/text_encoding.h"
#include "formats/whole_file.h"

namespace hone::data {

namespace {

bool is_there(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

formats::Value read_if_there(const std::filesystem::path& file) {
  return is_there(file) ? formats::read_json(file) : formats::Value();
}

[[noreturn]] void refuse_without_tokenizer(const std::filesystem::path& folder) {
  std::string found = "no tokenizer.json in the folder";
  std::string remedy = "give a model folder that has its tokenizer.json";
  for (const char* other : {"tokenizer.model", "spiece.model", "vocab.txt", "vocab.json"}) {
    if (!is_there(folder / other)) continue;
    found += fmt::format("; there is a {}, a tokenizer of a kind that hone does not read", other);
    remedy =
        "save the tokenizer once with transformers' AutoTokenizer, which writes tokenizer.json, or "
        "take a model with a byte-level BPE tokenizer";
    break;
  }
  throw UserError({fmt::format("the tokenizer of {}", formats::shown_path(folder)), found, remedy});
}

}  // namespace

Tokenizer Tokenizer::from_folder(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "tokenizer.json";
  if (!is_there(file)) refuse_without_tokenizer(folder);
  std::string text = formats::read_whole_file(file, formats::kMaxJsonFileBytes);
  auto parts = std::make_unique<TokenizerParts>(
      read_tokenizer_json(std::move(text), formats::shown_path(file)));
  const std::filesystem::path template_file = folder / "chat_template.jinja";
  if (is_there(template_file)) {
    constexpr std::size_t kLongestTemplateBytes = std::size_t{4} << 20;
    parts->chat_template = formats::read_whole_file(template_file, kLongestTemplateBytes);
    formats::refuse_invalid_utf8(*parts->chat_template, formats::shown_path(template_file), 0);
  }
  apply_tokenizer_config(*parts, read_if_there(folder / "tokenizer_config.json"),
                         read_if_there(folder / "special_tokens_map.json"));
  return Tokenizer(std::move(parts));
}

}  // namespace hone::data
