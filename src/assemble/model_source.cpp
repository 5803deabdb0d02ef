#include "assemble/model_source.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/nearest_name.h"
#include "data/tokenizer/gguf_vocabulary.h"
#include "formats/json.h"
#include "formats/safetensors_index.h"
#include "model/families/family.h"
#include "model/weights/gguf_weights.h"

namespace hone::assemble {
namespace {

namespace fs = std::filesystem;

std::string asked_for(const std::string& named) {
  return "model_name_or_path: '" + named + "'";
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

[[noreturn]] void refuse_missing(const std::string& named, const fs::path& path) {
  const fs::path folder = path.parent_path();
  const std::string near = did_you_mean(path.filename().string(), names_in(folder));
  const std::string remedy =
      "write the path of a model folder or GGUF file, or a name on the hub with its owner: "
      "org/name";
  throw UserError({asked_for(named), "folder not found: " + path.string() + near, remedy});
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

[[noreturn]] void refuse_file(const std::string& named, const fs::path& path) {
  throw UserError({asked_for(named), "a file that is no GGUF: " + path.string(),
                   "name the folder that it lies in: " + path.parent_path().string()});
}

void open_gguf(ModelSource& source) {
  source.gguf = std::make_unique<formats::GgufFile>(source.path);
  source.config = model::gguf_config(*source.gguf);
  source.description = model::describe_model(source.config, source.path.string());
  source.weights = model::open_gguf_weights(*source.gguf, source.description);
  formats::Value generation;
  for (const char* key : {"bos_token_id", "eos_token_id", "pad_token_id"}) {
    if (const formats::Value* id = source.config.find(key)) generation.set(key, *id);
  }
  source.generation_config = generation;
}

void refuse_without_weights(const ModelSource& source) {
  bool pickled = false;
  for (const std::string& name : names_in(source.path)) pickled |= ends_with(name, ".bin");
  throw UserError({asked_for(source.named),
                   pickled ? "only .bin weights in " + source.path.string()
                           : "no weights in " + source.path.string(),
                   pickled
                       ? "save the model as safetensors (transformers: save_pretrained)"
                       : "put model.safetensors, or model.safetensors.index.json and its files, "
                         "into this folder"});
}

void open_folder(ModelSource& source, const OpenOptions& options) {
  const fs::path config = source.path / "config.json";
  if (!fs::exists(config)) {
    throw UserError({asked_for(source.named), "no config.json in " + source.path.string(),
                     "name a model folder as transformers saves it, or a GGUF file"});
  }
  source.config = formats::read_json(config);
  source.description = model::describe_model(source.config, config.string());
  const fs::path generation = source.path / "generation_config.json";
  if (fs::exists(generation)) source.generation_config = formats::read_json(generation);
  if (formats::SafetensorsModel::is_in(source.path)) {
    source.weights = model::open_safetensors_weights(source.path);
  } else if (!options.weights_optional) {
    refuse_without_weights(source);
  }
}

}  // namespace

data::Tokenizer ModelSource::tokenizer() const {
  if (!gguf) return data::Tokenizer::from_folder(path);
  return data::Tokenizer::from_gguf(data::read_gguf_vocabulary(*gguf), path.string());
}

bool ModelSource::has_tokenizer() const {
  return gguf != nullptr || fs::exists(path / "tokenizer.json") ||
         fs::exists(path / "tokenizer.model");
}

DType ModelSource::promised_dtype() const {
  for (const char* key : {"dtype", "torch_dtype"}) {
    const formats::Value* value = config.find(key);
    const std::string* text = value == nullptr ? nullptr : value->get_string();
    if (text == nullptr) continue;
    if (*text == "float32") return DType::f32;
    if (*text == "float16") return DType::f16;
    if (*text == "bfloat16") return DType::bf16;
  }
  return DType::bf16;
}

ModelSource open_model(const std::string& named, const OpenOptions& options) {
  if (named.empty()) {
    throw UserError(
        {"model_name_or_path", "no value", "write the path of a model folder or GGUF file"});
  }
  ModelSource source;
  source.named = named;
  source.path = fs::absolute(named).lexically_normal();
  if (!source.path.has_filename()) source.path = source.path.parent_path();
  std::error_code error;
  const fs::file_status status = fs::status(source.path, error);
  if (!fs::exists(status)) refuse_missing(named, source.path);
  if (fs::is_directory(status)) {
    open_folder(source, options);
  } else if (ends_with(source.path.string(), ".gguf")) {
    open_gguf(source);
  } else {
    refuse_file(named, source.path);
  }
  return source;
}

ModelSource open_model(const config::Settings& settings, const OpenOptions& options) {
  ModelSource source = open_model(settings.model.model_name_or_path, options);
  if (settings.fetched.model_named) source.named = *settings.fetched.model_named;
  return source;
}

}  // namespace hone::assemble
