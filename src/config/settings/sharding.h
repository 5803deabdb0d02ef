// How the model's state is shared out between ranks, as it was written. What it says is in
// Settings::zero.
#pragma once

#include <optional>
#include <string>

namespace hone::config {

struct ShardingSettings {
  std::optional<std::string> deepspeed;    // a file's path, or JSON text
  std::optional<std::string> fsdp;         // "full_shard auto_wrap"
  std::optional<std::string> fsdp_config;  // as deepspeed; accelerate's YAML too
};

}  // namespace hone::config
