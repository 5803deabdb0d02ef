// ulimits and sysctls whose exhaustion looks like lack of memory.
#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

struct Rule {
  const char* limit;  // as /proc/self/limits names it
  std::uint64_t least;
  std::string_view id;
};

constexpr std::uint64_t kFiles = 65536;
constexpr std::uint64_t kProcesses = 4096;
constexpr std::uint64_t kStackBytes = 8u << 20;
constexpr std::int64_t kMappings = 262144;

constexpr Rule kRules[] = {
    {"Max open files", kFiles, "D-13"},
    {"Max processes", kProcesses, "D-14"},
    {"Max stack size", kStackBytes, "D-15"},
};

std::string shown(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : "unlimited";
}

}  // namespace

CheckResult check_process_limits(const System& system) {
  CheckResult result = {"high enough", {}};
  for (const Rule& rule : kRules) {
    const std::optional<Limit> limit = system.machine.limit(rule.limit);
    if (!limit || !limit->soft || *limit->soft >= rule.least) continue;
    result.findings.push_back({rule.id, fmt::format("{}: {} (at most {})", rule.limit,
                                                    shown(limit->soft), shown(limit->hard))});
  }
  const std::int64_t mappings =
      system.machine.number("/proc/sys/vm/max_map_count").value_or(kMappings);
  if (mappings < kMappings) {
    result.findings.push_back({"D-16", fmt::format("vm.max_map_count is {}", mappings)});
  }
  if (!result.findings.empty()) result.summary = "low";
  return result;
}

}  // namespace hone::doctor
