// The cards' connection to the processor.
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_pcie_links(const System& system) {
  CheckResult result;
  std::set<std::int64_t> widths;
  std::string shown;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.integrated() || gpu.partition > 0) continue;
    const Machine& machine = system.machine;
    const auto width = machine.number(gpu.folder + "/current_link_width");
    const auto most = machine.number(gpu.folder + "/max_link_width");
    const std::string speed = machine.text_or_empty(gpu.folder + "/current_link_speed");
    if (!width || !most || *width == 0) continue;
    widths.insert(*width);
    shown = fmt::format("{} lanes, {}", *width, speed);
    if (*width < *most) {
      result.findings.push_back(
          {"FLT-09", fmt::format("{} uses {} of {} lanes", gpu.description(), *width, *most)});
    }
    const std::int64_t replays = machine.number(gpu.folder + "/pcie_replay_count").value_or(0);
    if (replays > 0) {
      result.findings.push_back(
          {"FLT-09", fmt::format("{}: {} packets were sent again", gpu.description(), replays)});
    }
  }
  if (widths.size() > 1) {
    result.findings.push_back(
        {"D-21", fmt::format("between {} and {} lanes", *widths.begin(), *widths.rbegin())});
  }
  result.known = !shown.empty();
  result.summary = shown.empty() ? "not shown" : shown;
  return result;
}

}  // namespace hone::doctor
