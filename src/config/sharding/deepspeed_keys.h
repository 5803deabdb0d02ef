// The keys of DeepSpeed's configuration files (deepspeed.ai/docs/config-json, and what
// LLaMA-Factory and transformers put into them).
#pragma once

#include <span>

#include "config/sharding/option_keys.h"

namespace hone::config {

std::span<const OptionKey> deepspeed_keys();

}  // namespace hone::config
