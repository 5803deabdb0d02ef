// Which model, and how its weights and tokenizer are read.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::config {

// Number type of the weights outside training. automatic: what the model's files hold.
enum class InferType { automatic, bfloat16, float32 };

struct ModelSettings {
  std::string model_name_or_path;
  std::vector<std::string> adapter_name_or_path;  // in the order given
  bool split_special_tokens = false;
  InferType infer_dtype = InferType::automatic;
  std::string model_revision = "main";
  std::optional<std::string> cache_dir;  // of models and data sets from hubs
  std::optional<std::string> hf_hub_token;
  std::optional<std::string> ms_hub_token;
};

}  // namespace hone::config
