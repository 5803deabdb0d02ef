// Whether this is a container, and what it filters.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_container(const System& system) {
  if (!system.machine.in_container()) return {"no", {}};
  CheckResult result = {"yes", {}};
  const DeviceFile device = system.machine.device("/dev/kfd");
  Finding line = {"D-32", "started by Docker, Podman or the like"};
  if (device.group) {
    line.remedy = fmt::format(
        "a complete line: `docker run --device=/dev/kfd --device=/dev/dri --group-add {} "
        "--ipc=host "
        "--ulimit memlock=-1 --security-opt seccomp=unconfined --cap-add=SYS_PTRACE`",
        *device.group);
  }
  result.findings.push_back(line);
  if (system.machine.table("/proc/self/status")["Seccomp"] == "2") {
    result.findings.push_back({"ENV-05", "a seccomp filter is in force"});
  }
  return result;
}

}  // namespace hone::doctor
