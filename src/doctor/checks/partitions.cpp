// Cards that are divided into partitions, and jobs for a part of a full mesh.
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_partitions(const System& system) {
  CheckResult result = {"none", {}};
  std::set<std::string> seen;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    const std::string compute =
        system.machine.text_or_empty(gpu.folder + "/current_compute_partition");
    const std::string memory =
        system.machine.text_or_empty(gpu.folder + "/current_memory_partition");
    const bool divided = (!compute.empty() && compute != "SPX") ||
                         (!memory.empty() && memory != "NPS1") || gpu.partition > 0;
    if (!divided || !seen.insert(gpu.address).second) continue;
    if (!result.findings.empty()) continue;
    result.summary = compute + " " + memory;
    result.findings.push_back(
        {"DEV-18", fmt::format("{} is in mode {} {}", gpu.address, compute, memory)});
  }
  const std::size_t count = system.hardware.gpus.size();
  const bool mesh = count > 0 && system.hardware.gpus[0].device_id == 0x74a1;
  if (mesh && (count == 2 || count == 4)) {
    result.findings.push_back({"NET-25", fmt::format("{} MI300X", count)});
  }
  return result;
}

}  // namespace hone::doctor
