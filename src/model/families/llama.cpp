// Llama 2, 3, 3.1, 3.2, and models published in its form (SmolLM2, TinyLlama, ...).
#include "model/description/config_reader.h"
#include "model/families/family.h"

namespace hone::model {
namespace {

ModelDescription describe(const formats::JsonObject& config, FaultList& faults) {
  ModelDescription description = read_decoder_config(config, faults);
  const bool attention_bias = config_flag(config, "attention_bias", false);
  description.qkv_bias = attention_bias;
  description.attention_output_bias = attention_bias;
  description.mlp_bias = config_flag(config, "mlp_bias", false);
  return description;
}

}  // namespace

extern const Family kLlama;
const Family kLlama = {"llama", "LlamaForCausalLM", "llama", true, "llama3", describe};

}  // namespace hone::model
