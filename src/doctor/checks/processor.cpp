// The host's processor: clock, sleep, and the cores that this process may use.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr const char* kFirst = "/sys/devices/system/cpu/cpu0";

}  // namespace

CheckResult check_processor(const System& system) {
  const Machine& machine = system.machine;
  const std::string governor =
      machine.text_or_empty(std::string(kFirst) + "/cpufreq/scaling_governor");
  CheckResult result = {
      governor.empty() ? "clock not shown" : "governor " + governor, {}, !governor.empty()};
  if (!governor.empty() && governor != "performance") {
    result.findings.push_back({"D-07", "the governor is " + governor});
  }
  const std::string sleep = std::string(kFirst) + "/cpuidle/state2";
  if (machine.text_or_empty(sleep + "/name") == "C2" && machine.number(sleep + "/disable") == 0) {
    result.findings.push_back({"D-08", "state C2 is allowed"});
  }
  const std::string cores = machine.table("/proc/self/status")["Cpus_allowed_list"];
  const bool single = !cores.empty() && cores.find_first_of(",-") == std::string::npos;
  if (single && machine.exists("/sys/devices/system/cpu/cpu1")) {
    result.findings.push_back({"LCH-12", "this process is bound to core " + cores});
  }
  return result;
}

}  // namespace hone::doctor
