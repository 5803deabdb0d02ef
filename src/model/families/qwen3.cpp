// Qwen 3: norms over query and key heads, an explicit head width, no biases unless configured.
#include "model/description/config_reader.h"
#include "model/families/family.h"
#include "model/families/upper_block_windows.h"

namespace hone::model {
namespace {

ModelDescription describe(const formats::JsonObject& config, FaultList& faults) {
  ModelDescription description = read_decoder_config(config, faults);
  if (!config.has("head_dim")) description.head_width = 128;  // transformers' default for it
  const bool attention_bias = config_flag(config, "attention_bias", false);
  description.qkv_bias = attention_bias;
  description.attention_output_bias = attention_bias;
  description.normalizes_heads = true;
  set_upper_block_windows(config, description);
  return description;
}

}  // namespace

extern const Family kQwen3;
const Family kQwen3 = {"qwen3", "Qwen3ForCausalLM", "qwen3", false, "qwen3", describe};

}  // namespace hone::model
