// Who else computes on the GPUs.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_other_processes(const System& system) {
  std::string list;
  int count = 0;
  for (const std::string& process : system.machine.names("/sys/class/kfd/kfd/proc")) {
    const std::string name = system.machine.text_or_empty("/proc/" + process + "/comm");
    append_item(list, ", ", process + (name.empty() ? "" : " (" + name + ")"));
    ++count;
  }
  if (count == 0) return {"none", {}};
  CheckResult result = {fmt::format("{}", count), {}};
  const bool radeon = !system.hardware.gpus.empty() && !is_instinct(system.hardware.gpus[0].gfx);
  const Grade grade = radeon && count > 1 ? Grade::warning : Grade::note;
  result.findings.push_back({"FLT-17", list, "", grade});
  return result;
}

}  // namespace hone::doctor
