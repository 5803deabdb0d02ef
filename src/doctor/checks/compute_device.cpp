// /dev/kfd: is it there, and may this process open it? Everything else waits for it.
#include <cerrno>
#include <string>

#include <fmt/format.h>

#include "doctor/check.h"
#include "doctor/missing_driver.h"

namespace hone::doctor {
namespace {

constexpr const char* kDevice = "/dev/kfd";

std::string group_name(const Machine& machine, unsigned number) {
  for (const std::string& line : lines(machine.text_or_empty("/etc/group"))) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.compare(second + 1, std::to_string(number).size() + 1, std::to_string(number) + ":") ==
        0) {
      return line.substr(0, first);
    }
  }
  return "";
}

Finding refused(const Machine& machine, const DeviceFile& device) {
  const unsigned group = device.group.value_or(0);
  if (device.group && machine.in_group(group)) {
    return {"DEV-03",
            fmt::format("opening it is refused although this process is in its group {}", group),
            "the container's or job's rules for devices refuse it: give it the device "
            "(--device=/dev/kfd), or ask the administrator"};
  }
  if (machine.in_container()) {
    return {
        "DEV-04",
        fmt::format("it belongs to group {}, and this container's user is not in a group of that "
                    "number",
                    group),
        fmt::format("start the container with --group-add {} (Podman: --group-add keep-groups)",
                    group)};
  }
  const std::string name = group_name(machine, group);
  return {"DEV-03", fmt::format("it belongs to group {}{}, which this process is not in", group,
                                name.empty() ? "" : " (" + name + ")")};
}

Finding invalid(const Machine& machine, const DeviceFile& device) {
  std::string kernels;
  for (const std::string& line : lines(machine.text_or_empty("/proc/devices"))) {
    const std::vector<std::string> parts = words(line);
    if (parts.size() == 2 && parts[1] == "kfd") kernels = parts[0];
  }
  if (device.major && !kernels.empty() && kernels != std::to_string(*device.major)) {
    return {"DEV-07", fmt::format("the device has number {}, but kfd is number {} now",
                                  *device.major, kernels)};
  }
  return {"DEV-07", "opening it says 'Invalid argument'"};
}

CheckResult nothing_to_open(const System& system) {
  if (system.machine.is_wsl()) {
    return {
        "this is WSL",
        {{"DEV-16", system.machine.exists("/dev/dxg") ? "/dev/dxg is there, /dev/kfd is not"
                                                      : "neither /dev/dxg nor /dev/kfd is there"}}};
  }
  if (system.hardware.cards.empty()) {
    return {"no AMD GPU in this machine",
            {{"DEV-01", "no card of AMD is on the PCI bus",
              "nothing: hone trains on the CPU. If there should be a card, it is not seated, not "
              "switched on in the BIOS, or not handed to this virtual machine"}}};
  }
  return {"missing", {why_no_compute_device(system)}};
}

}  // namespace

CheckResult check_compute_device(const System& system) {
  const DeviceFile device = system.machine.device(kDevice);
  if (!device.exists) return nothing_to_open(system);
  switch (device.open_error) {
    case 0:
      return {"opens", {}};
    case EINVAL:
      return {"does not open", {invalid(system.machine, device)}};
    case ENOMEM:
      return {"does not open", {{"DEV-08", "opening it says 'Cannot allocate memory'"}}};
    default:
      return {"may not be opened", {refused(system.machine, device)}};
  }
}

}  // namespace hone::doctor
