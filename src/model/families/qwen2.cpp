// Qwen 2 and 2.5: biases on q, k and v; a window on the upper blocks when it is switched on.
#include "model/description/config_reader.h"
#include "model/families/family.h"
#include "model/families/upper_block_windows.h"

namespace hone::model {
namespace {

ModelDescription describe(const formats::JsonObject& config, FaultList& faults) {
  ModelDescription description = read_decoder_config(config, faults);
  description.qkv_bias = true;
  set_upper_block_windows(config, description);
  return description;
}

}  // namespace

extern const Family kQwen2;
const Family kQwen2 = {"qwen2", "Qwen2ForCausalLM", "qwen2", false, "qwen", describe};

}  // namespace hone::model
