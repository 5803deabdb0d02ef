// What the kernel said of the GPUs since the machine started, read with the same knowledge as
// --explain.
#include <array>
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"
#include "doctor/explain.h"

namespace hone::doctor {
namespace {

constexpr std::array<std::string_view, 7> kAbout = {"amdgpu", "kfd",  "AMD-Vi",       "DMAR",
                                                    "AER:",   "hub]", "Out of memory"};

bool is_about_gpus(const std::string& line) {
  for (const std::string_view word : kAbout) {
    if (line.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

CheckResult check_kernel_log(const System& system) {
  const auto log = system.machine.kernel_log();
  if (!log) {
    return {
        "may not be read: sudo dmesg | grep -iE 'amdgpu|kfd|iommu|AER' | hone doctor --explain -",
        {},
        false};
  }
  std::string about;
  for (const std::string& line : *log) {
    if (is_about_gpus(line)) about += line + "\n";
  }
  CheckResult result;
  for (const Explanation& explanation : explain(about)) {
    if (explanation.entry->grade == Grade::note) continue;  // harmless
    // What happened may be over: a warning, whatever it was.
    result.findings.push_back({explanation.entry->id,
                               fmt::format("the kernel's log says: {}", explanation.line), "",
                               Grade::warning});
  }
  result.summary = result.findings.empty() ? "nothing of note" : "has lines of failures";
  return result;
}

}  // namespace hone::doctor
