// Options that the kernel was built with, for direct access between cards.
#include <algorithm>

#include "doctor/check.h"

namespace hone::doctor {

CheckResult check_kernel_build(const System& system) {
  const auto config = system.machine.text("/boot/config-" + system.machine.kernel_release());
  if (!config) return {"not shown", {}, false};
  const std::vector<std::string> built = lines(*config);
  std::string missing;
  for (const char* option :
       {"CONFIG_PCI_P2PDMA", "CONFIG_DMABUF_MOVE_NOTIFY", "CONFIG_HSA_AMD_P2P"}) {
    const std::string wanted = std::string(option) + "=y";
    if (std::find(built.begin(), built.end(), wanted) != built.end()) continue;
    append_item(missing, ", ", option);
  }
  if (missing.empty()) return {"has what cards need to reach each other", {}};
  return {"lacks options", {{"D-22", "missing: " + missing}}};
}

}  // namespace hone::doctor
