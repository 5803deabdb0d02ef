// Options of the driver: on the kernel command line, in /etc/modprobe.d.
#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr const char* kDoubtful[] = {
    "noretry=", "vm_fragment_size=", "gttsize=", "ppfeaturemask=", "cwsr_enable=", "gpu_recovery="};

void add_doubtful(const std::string& text, const std::string& where, std::string& found) {
  for (const std::string& word : words(text)) {
    const std::size_t dot = word.rfind("amdgpu.", 0) == 0 ? 7 : 0;
    for (const char* option : kDoubtful) {
      if (word.compare(dot, std::string_view(option).size(), option) != 0) continue;
      append_item(found, ", ", word + " (" + where + ")");
    }
  }
}

}  // namespace

CheckResult check_driver_options(const System& system) {
  std::string found;
  add_doubtful(system.machine.kernel_options(), "/proc/cmdline", found);
  bool blacklisted =
      system.machine.kernel_options().find("modprobe.blacklist=amdgpu") != std::string::npos;
  for (const std::string& name : system.machine.names("/etc/modprobe.d")) {
    const std::string file = "/etc/modprobe.d/" + name;
    for (const std::string& line : lines(system.machine.text_or_empty(file))) {
      const std::vector<std::string> parts = words(line);
      if (parts.size() < 2 || parts[1] != "amdgpu") continue;
      if (parts[0] == "options") add_doubtful(line, file, found);
      if (parts[0] == "blacklist") blacklisted = true;
    }
  }
  CheckResult result = {found.empty() ? "none of the doubtful ones" : "doubtful", {}};
  if (!found.empty()) result.findings.push_back({"DRV-08", found});
  if (blacklisted) result.findings.push_back({"D-29", "the driver is loaded all the same"});
  return result;
}

}  // namespace hone::doctor
