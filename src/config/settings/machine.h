// hone's own settings: the machine, and how much of it a run may take.
#pragma once

#include <cstdint>
#include <optional>

namespace hone::config {

enum class DeviceChoice { automatic, cpu };

struct MachineSettings {
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<std::int64_t> micro_step_tokens;   // unset (`auto`): by kind of device
  std::optional<std::int64_t> memory_limit_bytes;  // the setting `memory_limit`
  std::optional<std::int64_t> threads;             // unset (`auto`): the cores of the machine
  bool profile = false;
};

}  // namespace hone::config
