// Links between cards (XGMI): in a hive each card has one to every other.
#include <map>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_card_links(const System& system) {
  CheckResult result;
  std::map<std::uint64_t, int> members;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.hive != 0 && gpu.partition == 0) ++members[gpu.hive];
  }
  // A full mesh is what MI300 and later are built with; older cards have rings and pairs.
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    const bool mesh = gpu.gfx == "gfx942" || gpu.gfx == "gfx950";
    if (mesh && gpu.hive != 0 && gpu.partition == 0 && gpu.links < members[gpu.hive] - 1) {
      result.findings.push_back(
          {"FLT-08", fmt::format("{} has {} links to {} other cards", gpu.description(), gpu.links,
                                 members[gpu.hive] - 1)});
    }
    const std::int64_t error = system.machine.number(gpu.folder + "/xgmi_error").value_or(0);
    if (error > 0) {
      result.findings.push_back(
          {"FLT-08", fmt::format("{}: its links report error {}", gpu.description(), error)});
    }
  }
  result.summary = members.empty() ? "none" : "all there";
  if (!result.findings.empty()) result.summary = "faulty";
  return result;
}

}  // namespace hone::doctor
