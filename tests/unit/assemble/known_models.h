// Published models by their config.json, for plans: no weights.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "unit/formats/temporary_folder.h"

namespace hone::assemble::testing {

struct KnownModel {
  const char* name;
  const char* type;  // config.json's model_type and architecture
  const char* architecture;
  std::int64_t hidden, intermediate, blocks, heads, key_heads, vocabulary;
};

inline constexpr KnownModel kKnownModels[] = {
    {"Llama 2 7B", "llama", "LlamaForCausalLM", 4096, 11008, 32, 32, 32, 32000},
    {"Llama 3 8B", "llama", "LlamaForCausalLM", 4096, 14336, 32, 32, 8, 128256},
    {"Qwen2.5 14B", "qwen2", "Qwen2ForCausalLM", 5120, 13824, 48, 40, 8, 152064},
    {"Qwen2.5 32B", "qwen2", "Qwen2ForCausalLM", 5120, 27648, 64, 40, 8, 152064},
    {"Llama 3 70B", "llama", "LlamaForCausalLM", 8192, 28672, 80, 64, 8, 128256},
    {"Qwen2.5 72B", "qwen2", "Qwen2ForCausalLM", 8192, 29568, 80, 64, 8, 152064},
    {"Llama 3.1 405B", "llama", "LlamaForCausalLM", 16384, 53248, 126, 128, 8, 128256},
};

inline const KnownModel& known_model(const std::string& name) {
  for (const KnownModel& model : kKnownModels) {
    if (name == model.name) return model;
  }
  throw std::runtime_error("no model " + name);
}

// Writes config.json into a folder of its own; gives the folder.
inline std::filesystem::path write_config(const formats::TemporaryFolder& place,
                                          const KnownModel& model) {
  const auto number = [](std::int64_t value) { return std::to_string(value); };
  place.write(std::string(model.name) + "/config.json",
              std::string(R"({"architectures": [")") + model.architecture +
                  R"("], "model_type": ")" + model.type + R"(", "hidden_act": "silu", )" +
                  R"("rms_norm_eps": 1e-05, "rope_theta": 500000.0, "torch_dtype": "bfloat16", )" +
                  R"("max_position_embeddings": 8192, "tie_word_embeddings": false, )" +
                  R"("hidden_size": )" + number(model.hidden) + R"(, "intermediate_size": )" +
                  number(model.intermediate) + R"(, "num_hidden_layers": )" + number(model.blocks) +
                  R"(, "num_attention_heads": )" + number(model.heads) +
                  R"(, "num_key_value_heads": )" + number(model.key_heads) + R"(, "vocab_size": )" +
                  number(model.vocabulary) + "}");
  return place.path() / model.name;
}

}  // namespace hone::assemble::testing
