// /dev/dri/renderD*: one per GPU, and the runtime gives up at the first that it may not open.
#include <cerrno>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_render_nodes(const System& system) {
  CheckResult result;
  int open = 0;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    if (gpu.render_minor == 0) {
      result.findings.push_back({"DEV-05", gpu.description() + " has no render node"});
      continue;
    }
    const std::string path = fmt::format("/dev/dri/renderD{}", gpu.render_minor);
    const DeviceFile device = system.machine.device(path);
    if (device.exists && device.open_error == 0) {
      ++open;
    } else if (!device.exists || device.open_error == EPERM) {
      result.findings.push_back(
          {"DEV-06", fmt::format("{} of {} is not in this {}", path, gpu.description(),
                                 system.machine.in_container() ? "container"
                                                               : "process's "
                                                                 "view")});
    } else {
      const std::string group = device.group ? fmt::format(" (group {})", *device.group) : "";
      result.findings.push_back({"DEV-05", path + group + " may not be opened"});
    }
  }
  if (open == 0 && !result.findings.empty()) result.findings.front().grade = Grade::failure;
  result.summary = fmt::format("{} of {} open", open, system.hardware.gpus.size());
  return result;
}

}  // namespace hone::doctor
