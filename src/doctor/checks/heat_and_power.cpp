// Temperatures, power caps and fixed clocks.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr double kMicrowatts = 1e6;
constexpr std::int64_t kMarginMillidegrees = 5000;

void look_at_monitor(const System& system, const ComputeGpu& gpu, const std::string& folder,
                     CheckResult& result) {
  const Machine& machine = system.machine;
  const auto cap = machine.number(folder + "/power1_cap");
  const auto usual = machine.number(folder + "/power1_cap_default");
  if (cap && usual && *cap < *usual) {
    result.findings.push_back({"FLT-11", fmt::format("{}: {:.0f} of {:.0f} W", gpu.description(),
                                                     static_cast<double>(*cap) / kMicrowatts,
                                                     static_cast<double>(*usual) / kMicrowatts)});
  }
  for (const std::string& name : machine.names(folder)) {
    const std::size_t end = name.rfind("_crit");
    if (end == std::string::npos || end + 5 != name.size()) continue;
    const std::string sensor = name.substr(0, end);
    const auto limit = machine.number(folder + "/" + name);
    const auto now = machine.number(folder + "/" + sensor + "_input");
    if (!limit || !now || *limit <= 0 || *now < *limit - kMarginMillidegrees) continue;
    result.findings.push_back(
        {"FLT-10", fmt::format("{}: {} at {} degrees of {}", gpu.description(),
                               machine.text(folder + "/" + sensor + "_label").value_or(sensor),
                               *now / 1000, *limit / 1000)});
  }
}

}  // namespace

CheckResult check_heat_and_power(const System& system) {
  CheckResult result = {"in order", {}};
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.partition > 0) continue;
    const std::string level =
        system.machine.text_or_empty(gpu.folder + "/power_dpm_force_performance_level");
    if (!level.empty() && level != "auto" && level != "perf_determinism") {
      result.findings.push_back(
          {"FLT-12", fmt::format("{}: performance level '{}'", gpu.description(), level)});
    }
    for (const std::string& monitor : system.machine.names(gpu.folder + "/hwmon")) {
      look_at_monitor(system, gpu, gpu.folder + "/hwmon/" + monitor, result);
    }
  }
  if (!result.findings.empty()) result.summary = "see below";
  return result;
}

}  // namespace hone::doctor
