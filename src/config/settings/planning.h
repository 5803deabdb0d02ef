// A plan of machines that are not here, and of other ways to share out the model than the run's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hone::config {

struct PlanningSettings {
  std::optional<std::string> devices;  // see reading/device_list.h; set: nothing of this machine
  std::optional<std::int64_t> zero_stage;  // unset: as deepspeed or fsdp say
  std::vector<std::string> offload;        // optimizer, parameters; empty: as deepspeed or fsdp say
};

}  // namespace hone::config
