// How the IOMMU treats the cards.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr std::size_t kManyProcessors = 256;

std::size_t processors(const Machine& machine) {
  const std::vector<std::string> names = machine.names("/sys/devices/system/cpu");
  return static_cast<std::size_t>(
      std::count_if(names.begin(), names.end(), [](const std::string& name) {
        return name.rfind("cpu", 0) == 0 && name.size() > 3 && name[3] >= '0' && name[3] <= '9';
      }));
}

// Some group of devices has its addresses translated.
bool translates(const Machine& machine) {
  for (const std::string& group : machine.names("/sys/kernel/iommu_groups")) {
    const std::string kind = machine.text_or_empty("/sys/kernel/iommu_groups/" + group + "/type");
    if (kind.rfind("DMA", 0) == 0) return true;
  }
  return false;
}

}  // namespace

CheckResult check_iommu(const System& system) {
  const std::vector<std::string> options = words(system.machine.kernel_options());
  const auto has = [&](std::string_view option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  const bool several = system.hardware.gpus.size() > 1;
  const bool instinct = !system.hardware.gpus.empty() && is_instinct(system.hardware.gpus[0].gfx);
  CheckResult result;
  if (has("iommu=off") || has("amd_iommu=off") || has("intel_iommu=off")) {
    result.summary = "off";
    const std::size_t count = processors(system.machine);
    if (several) result.findings.push_back({"NET-27", "the kernel command line switches it off"});
    if (count >= kManyProcessors) {
      result.findings.push_back({"D-03", fmt::format("{} processors", count)});
    }
  } else if (has("iommu=pt") || !translates(system.machine)) {
    result.summary = has("iommu=pt") ? "passes through (iommu=pt)" : "not in the way";
  } else {
    result.summary = "translates";
    if (several) {
      result.findings.push_back({"D-02", "no iommu=pt, and devices have translated addresses", "",
                                 instinct ? Grade::warning : Grade::note});
    }
  }
  const bool is_mi300x =
      instinct && system.hardware.gpus[0].gfx == "gfx942" && several && !has("pci=realloc=off");
  if (is_mi300x) result.findings.push_back({"D-04", "not on the kernel command line"});
  return result;
}

}  // namespace hone::doctor
