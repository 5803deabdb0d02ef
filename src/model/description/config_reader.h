// The parts of config.json that decoder families share, read into a description with all faults of
// the file collected.
#pragma once

#include "base/error.h"
#include "formats/json.h"
#include "model/description/model_description.h"

namespace hone::model {

// Reads sizes, epsilon, rope (rope_theta and rope_scaling, or the newer rope_parameters), tying.
// What families do differently (biases, windows, head norms, defaults) they set afterwards, before
// check_description().
ModelDescription read_decoder_config(const formats::JsonObject& config, FaultList& faults);

// A boolean of the configuration, or `otherwise` when it is absent.
bool config_flag(const formats::JsonObject& config, std::string_view key, bool otherwise);

// Sizes that contradict one another (heads not divisible by kv_heads, odd head width, ...).
void check_description(const ModelDescription& description, const std::string& file,
                       FaultList& faults);

}  // namespace hone::model
