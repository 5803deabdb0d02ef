// Mistral 7B and its successors: a sliding window on every block, when the configuration has one.
#include <algorithm>

#include "model/description/config_reader.h"
#include "model/families/family.h"

namespace hone::model {
namespace {

ModelDescription describe(const formats::JsonObject& config, FaultList& faults) {
  ModelDescription description = read_decoder_config(config, faults);
  const std::int64_t window = config.optional_integer("sliding_window").value_or(0);
  std::fill(description.windows.begin(), description.windows.end(),
            std::max<std::int64_t>(window, 0));
  return description;
}

}  // namespace

extern const Family kMistral;
// GGUF files of Mistral models call their architecture llama's; family_of_gguf() finds that one.
const Family kMistral = {"mistral", "MistralForCausalLM", "", false, "mistral", describe};

}  // namespace hone::model
