// Large pages and compaction of the host's memory.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

constexpr int kMi300a = 0x74a0;

}  // namespace

CheckResult check_memory_pages(const System& system) {
  const Machine& machine = system.machine;
  const std::string pages = machine.text_or_empty("/sys/kernel/mm/transparent_hugepage/enabled");
  CheckResult result = {pages.empty() ? "not shown" : "large pages: " + pages, {}, !pages.empty()};
  const bool mi300a = !system.hardware.gpus.empty() && system.hardware.gpus[0].device_id == kMi300a;
  const bool never = pages.find("[never]") != std::string::npos;
  if (never || (mi300a && !pages.empty() && pages.find("[always]") == std::string::npos)) {
    result.findings.push_back({"D-09", pages});
  }
  const std::int64_t compaction =
      machine.number("/proc/sys/vm/compaction_proactiveness").value_or(20);
  const std::int64_t unevictable =
      machine.number("/proc/sys/vm/compact_unevictable_allowed").value_or(1);
  if (mi300a && (compaction != 20 || unevictable != 1)) {
    result.findings.push_back({"D-10", fmt::format("{} and {}", compaction, unevictable)});
  }
  return result;
}

}  // namespace hone::doctor
