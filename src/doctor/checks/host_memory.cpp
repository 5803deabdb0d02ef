// The host's memory and swap.
#include <cstdlib>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr double kKibPerGib = 1024.0 * 1024;
constexpr double kLittleGib = 32;  // less than loading a model of 8 billion parameters takes

}  // namespace

CheckResult check_host_memory(const System& system) {
  std::map<std::string, std::string> memory = system.machine.table("/proc/meminfo");
  const double total = std::strtod(memory["MemTotal"].c_str(), nullptr) / kKibPerGib;
  const double available = std::strtod(memory["MemAvailable"].c_str(), nullptr) / kKibPerGib;
  if (total <= 0) return {"not shown", {}, false};
  CheckResult result = {fmt::format("{:.1f} of {:.1f} GiB available", available, total), {}};
  const bool swap = std::strtod(memory["SwapTotal"].c_str(), nullptr) > 0;
  if (!swap && total < kLittleGib && !system.hardware.gpus.empty()) {
    result.findings.push_back({"D-28", fmt::format("{:.1f} GiB, no swap", total)});
  }
  return result;
}

}  // namespace hone::doctor
