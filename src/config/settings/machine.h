// hone's own settings: the machine, and how much of it a run may take.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hone::config {

enum class DeviceChoice { automatic, cpu, gpu };

// "auto", "cpu", "gpu" (the first) or "gpu:1".
struct DeviceWish {
  DeviceChoice kind = DeviceChoice::automatic;
  int index = 0;  // of a GPU, among those that this process may see
};
// Nothing for any other text.
std::optional<DeviceWish> parse_device(const std::string& text);

struct MachineSettings {
  std::string device = "auto";                     // as parse_device() reads it
  std::optional<std::int64_t> micro_step_tokens;   // unset (`auto`): by kind of device
  std::optional<std::int64_t> memory_limit_bytes;  // the setting `memory_limit`
  std::optional<std::int64_t> threads;             // unset (`auto`): the cores of the machine
  bool profile = false;
};

}  // namespace hone::config
