// The sliding window that some families switch on for their upper blocks.
#pragma once

#include "formats/json.h"
#include "model/description/model_description.h"

namespace hone::model {

// With use_sliding_window, blocks from max_window_layers on (or those that layer_types names
// "sliding_attention") see sliding_window tokens; without it a sliding_window has no effect.
void set_upper_block_windows(const formats::JsonObject& config, ModelDescription& description);

}  // namespace hone::model
