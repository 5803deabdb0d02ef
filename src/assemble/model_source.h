// A base model opened from what the user named: a folder with config.json, or a GGUF file.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "config/settings/settings.h"
#include "data/tokenizer/tokenizer.h"
#include "formats/gguf.h"
#include "formats/value.h"
#include "model/description/model_description.h"
#include "model/weights/weight_files.h"

namespace hone::assemble {

struct ModelSource {
  std::string named;           // as the user wrote it: base_model_name_or_path
  std::filesystem::path path;  // absolute
  formats::Value config;       // config.json, or what it would say
  formats::Value generation_config;
  model::ModelDescription description;
  std::unique_ptr<formats::GgufFile> gguf;      // only when it is one
  std::unique_ptr<model::WeightFiles> weights;  // null: only a configuration is there

  data::Tokenizer tokenizer() const;
  // What a configuration without weights says they are stored as.
  DType promised_dtype() const;
  bool has_tokenizer() const;
};

struct OpenOptions {
  // A folder with nothing but config.json is enough: for plans.
  bool weights_optional = false;
};

// Opens everything but the tensors' bytes. Throws UserError, within a second and without a network,
// for what is not there (with names that are near), for files in the place of folders, and for
// folders that lack config.json or weights.
ModelSource open_model(const std::string& named, const OpenOptions& options = {});

// The model of the settings; one that was fetched keeps its name on the hub.
ModelSource open_model(const config::Settings& settings, const OpenOptions& options = {});

}  // namespace hone::assemble
