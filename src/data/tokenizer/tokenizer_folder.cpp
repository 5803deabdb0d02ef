// Tokenizer::from_folder: the files of a model folder.
#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "data/tokenizer/json_text.h"
#include "data/tokenizer/sentencepiece_document.h"
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
  std::string found = "no tokenizer.json and no tokenizer.model in the folder";
  std::string remedy = "give a model folder that has its tokenizer.json";
  for (const char* other : {"spiece.model", "sentencepiece.bpe.model", "vocab.txt", "vocab.json"}) {
    if (!is_there(folder / other)) continue;
    found += fmt::format("; there is a {}, which hone does not read by itself", other);
    remedy =
        "save the tokenizer once with transformers' AutoTokenizer, which writes tokenizer.json";
    break;
  }
  throw UserError({fmt::format("the tokenizer of {}", formats::shown_path(folder)), found, remedy});
}

// A tokenizer.model that is tiktoken's: lines of a token in base 64 and its rank.
bool is_token_list(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 64));
  const std::size_t space = line.find(' ');
  return space != std::string_view::npos && space > 0 && space + 1 < line.size() &&
         line.find_first_not_of("0123456789", space + 1) == std::string_view::npos;
}

// Classes of transformers that give other ids to the pieces than the file has.
void refuse_renumbering(const formats::Value& config, const std::string& file) {
  const formats::Value* name = config.find("tokenizer_class");
  if (name == nullptr || !name->is_string()) return;
  for (const std::string_view family :
       {"T5",      "MT5",     "Udop",      "XLMRoberta", "Camembert", "MBart",       "MBart50",
        "Nllb",    "Pegasus", "Barthez",   "XGLM",       "XLNet",     "SeamlessM4T", "DebertaV2",
        "BigBird", "Albert",  "Reformer",  "Marian",     "M2M100",    "Speech2Text", "Plbart",
        "PLBart",  "FNet",    "LayoutXLM", "RemBert"}) {
    const std::string& found = name->string();
    if (found != fmt::format("{}Tokenizer", family) &&
        found != fmt::format("{}TokenizerFast", family)) {
      continue;
    }
    throw UserError({file,
                     fmt::format("its tokenizer_config.json names the class {}, which gives other "
                                 "ids to the pieces than the file",
                                 found),
                     "save the tokenizer once with transformers' AutoTokenizer, which writes "
                     "tokenizer.json"});
  }
}

// Roles that the configuration leaves open are those of the training.
void add_roles(const SentencePieceModel& model, formats::Value& config) {
  const auto role = [&](std::string_view key, std::int64_t id) {
    const bool there = id >= 0 && id < static_cast<std::int64_t>(model.pieces.size());
    if (there && config.find(key) == nullptr) {
      config.set(key, model.pieces[static_cast<std::size_t>(id)].text);
    }
  };
  role("bos_token", model.bos_id);
  role("eos_token", model.eos_id);
  role("pad_token", model.pad_id);
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type == PieceType::unknown) {
      role("unk_token", static_cast<std::int64_t>(id));
    }
  }
}

TokenizerParts read_sentencepiece(const std::filesystem::path& file, formats::Value& config) {
  const std::string name = formats::shown_path(file);
  constexpr std::size_t kLargestModelBytes = std::size_t{64} << 20;
  const std::string bytes = formats::read_whole_file(file, kLargestModelBytes);
  if (is_token_list(bytes)) {
    throw UserError({name,
                     "a list of tokens in base 64 (tiktoken's format), no SentencePiece model",
                     "give a model folder that has its tokenizer.json"});
  }
  refuse_renumbering(config, name);
  const SentencePieceModel model = read_sentencepiece_model(bytes, name);
  if (config.is_null()) config = formats::Value(formats::Object{});
  add_roles(model, config);
  const formats::JsonObject fields(config, "tokenizer_config.json beside " + name);
  SentencePieceOptions options;
  options.legacy = fields.optional_boolean("legacy").value_or(false);
  const bool has_bos =
      model.bos_id >= 0 && model.bos_id < static_cast<std::int64_t>(model.pieces.size());
  if (has_bos && fields.optional_boolean("add_bos_token").value_or(true)) {
    options.bos_id = model.bos_id;
  }
  return read_tokenizer_json(json_text(sentencepiece_document(model, options, name)), name);
}

}  // namespace

Tokenizer Tokenizer::from_folder(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "tokenizer.json";
  const std::filesystem::path model_file = folder / "tokenizer.model";
  if (!is_there(file) && !is_there(model_file)) refuse_without_tokenizer(folder);
  formats::Value config = read_if_there(folder / "tokenizer_config.json");
  auto parts = std::make_unique<TokenizerParts>(
      is_there(file)
          ? read_tokenizer_json(formats::read_whole_file(file, formats::kMaxJsonFileBytes),
                                formats::shown_path(file))
          : read_sentencepiece(model_file, config));
  const std::filesystem::path template_file = folder / "chat_template.jinja";
  if (is_there(template_file)) {
    constexpr std::size_t kLongestTemplateBytes = std::size_t{4} << 20;
    parts->chat_template = formats::read_whole_file(template_file, kLongestTemplateBytes);
    formats::refuse_invalid_utf8(*parts->chat_template, formats::shown_path(template_file), 0);
  }
  apply_tokenizer_config(*parts, config, read_if_there(folder / "special_tokens_map.json"));
  return Tokenizer(std::move(parts));
}

}  // namespace hone::data
