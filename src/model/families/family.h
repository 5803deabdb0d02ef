// An architecture as data. Each family is one file here, and the only place where its name occurs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "formats/json.h"
#include "model/description/model_description.h"

namespace hone::model {

struct Family {
  std::string_view model_type;         // config.json's model_type
  std::string_view architecture;       // config.json's architectures[0], as transformers names it
  std::string_view gguf_architecture;  // general.architecture of GGUF files
  // GGUF files of this family hold the rows of q and k pair-wise instead of half-split
  // (model/weights/gguf_names.h).
  bool gguf_permutes_query_and_key = false;
  // What LLaMA-Factory calls the template that such models are usually tuned with: a suggestion.
  std::string_view usual_template;
  // Reads the family's config.json; faults are collected.
  ModelDescription (*describe)(const formats::JsonObject& config, FaultList& faults);
};

// All families; a new one is a file and a line in families.cpp.
const std::vector<Family>& families();

// The family of a model_type. Throws UserError, listing what is known, for another.
const Family& family_of_model_type(const std::string& model_type, const std::string& file);

// The description of a model from its config.json; all faults at once.
ModelDescription describe_model(const formats::Value& config, const std::string& file);

}  // namespace hone::model
