// What `hone export` writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hone::config {

enum class ExportDevice { cpu, automatic };

struct ExportSettings {
  std::optional<std::string> export_dir;
  std::int64_t export_size = 5;  // 10^9 bytes per file of weights
  ExportDevice export_device = ExportDevice::cpu;
};

}  // namespace hone::config
