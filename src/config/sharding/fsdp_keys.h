// The keys of `fsdp_config` (transformers) and of accelerate's YAML files. Both are read as one
// table: transformers' keys stand in the block fsdp_config, and accelerate's prefix fsdp_ is taken
// away before.
#pragma once

#include <span>

#include "config/sharding/option_keys.h"

namespace hone::config {

std::span<const OptionKey> fsdp_keys();

}  // namespace hone::config
