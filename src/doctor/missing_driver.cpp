#include "doctor/missing_driver.h"

#include <algorithm>

#include <fmt/format.h>

namespace hone::doctor {
namespace {

constexpr const char* kSecureBoot =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

bool secure_boot(const Machine& machine) {
  // Four bytes of attributes, then the value. A trimmed text keeps the 1, which is no blank.
  const std::string bytes = machine.text_or_empty(kSecureBoot);
  return !bytes.empty() && bytes.back() == '\x01' && bytes.size() >= 2;
}

bool built_for_this_kernel(const Machine& machine) {
  const std::string folder = "/lib/modules/" + machine.kernel_release() + "/updates/dkms";
  const std::vector<std::string> names = machine.names(folder);
  return std::any_of(names.begin(), names.end(),
                     [](const std::string& name) { return name.rfind("amdgpu.ko", 0) == 0; });
}

// "nomodeset", or the file that blacklists the driver; empty: nothing does.
std::string what_keeps_it_off(const Machine& machine) {
  for (const std::string& word : words(machine.kernel_options())) {
    if (word == "nomodeset") return "the kernel option nomodeset";
    if (word.rfind("modprobe.blacklist=", 0) == 0 && word.find("amdgpu") != std::string::npos) {
      return "the kernel option " + word;
    }
  }
  for (const std::string& name : machine.names("/etc/modprobe.d")) {
    const std::string file = "/etc/modprobe.d/" + name;
    for (const std::string& line : lines(machine.text_or_empty(file))) {
      const std::vector<std::string> parts = words(line);
      if (parts.size() > 1 && parts[0] == "blacklist" && parts[1] == "amdgpu") return file;
    }
  }
  return "";
}

Finding why_not_loaded(const System& system) {
  const Machine& machine = system.machine;
  const std::string keeper = what_keeps_it_off(machine);
  if (!keeper.empty()) return {"DEV-09", keeper + " keeps amdgpu from being loaded"};
  const auto taken = std::find_if(system.hardware.cards.begin(), system.hardware.cards.end(),
                                  [](const PciGpu& card) { return card.driver == "vfio-pci"; });
  if (taken != system.hardware.cards.end()) {
    return {"DEV-09", "the card at " + taken->address + " is bound to vfio-pci",
            "unbind it from vfio-pci, or use it in the virtual machine it is meant for"};
  }
  const bool has_package = !machine.names("/var/lib/dkms/amdgpu").empty();
  if (has_package && !built_for_this_kernel(machine)) {
    return {"DRV-01", "amdgpu-dkms is installed, and there is no module of it for kernel " +
                          machine.kernel_release()};
  }
  if (has_package && secure_boot(machine)) {
    return {"DRV-02", "the module is built, Secure Boot is on, and amdgpu is not loaded"};
  }
  return {"DEV-09", fmt::format("{} of AMD on the PCI bus, but the module amdgpu is not loaded",
                                system.hardware.cards.size() == 1 ? "a card" : "cards")};
}

bool log_says(const Machine& machine, std::string_view text) {
  const auto log = machine.kernel_log();
  return log && std::any_of(log->begin(), log->end(), [&](const std::string& line) {
           return line.find(text) != std::string::npos;
         });
}

}  // namespace

Finding why_no_compute_device(const System& system) {
  if (!system.machine.exists("/sys/module/amdgpu")) return why_not_loaded(system);
  const PciGpu& card = system.hardware.cards.front();
  if (card.driver.empty()) return why_no_node(system, card);
  if (system.machine.in_container()) {
    return {"DEV-02",
            "the host has the card and its driver, and this container was not given the "
            "device",
            "start the container with `docker run --device=/dev/kfd --device=/dev/dri ...`"};
  }
  return {"DEV-02", "amdgpu is loaded, but does not offer the card for computing",
          "look for lines with kfd in `sudo dmesg`: `hone doctor --explain -` reads them"};
}

Finding why_no_node(const System& system, const PciGpu& card) {
  const std::string where = "the card at " + card.address;
  if (log_says(system.machine, "PCI rejects atomics")) {
    return {"DEV-10", where + ": the kernel's log says 'PCI rejects atomics'"};
  }
  if (log_says(system.machine, "not supported in kfd")) {
    return {"DEV-12", where + ": the kernel's log says 'not supported in kfd'"};
  }
  if (card.driver.empty()) return {"DEV-11", where + " has no driver although amdgpu is loaded"};
  return {"DEV-12",
          where + " is no device for computing on kernel " + system.machine.kernel_release()};
}

}  // namespace hone::doctor
