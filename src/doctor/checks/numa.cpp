// Which processor a card belongs to, and whether the kernel moves memory around.
#include <set>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

// "0-3,8": whether it holds a number.
bool list_holds(const std::string& list, std::int64_t number) {
  std::size_t start = 0;
  while (start < list.size()) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string part = list.substr(start, end - start);
    const std::size_t dash = part.find('-');
    const std::int64_t low = std::strtoll(part.c_str(), nullptr, 10);
    const std::int64_t high =
        dash == std::string::npos ? low : std::strtoll(part.c_str() + dash + 1, nullptr, 10);
    if (low <= number && number <= high) return true;
    start = end + 1;
  }
  return false;
}

std::size_t node_count(const Machine& machine) {
  std::size_t count = 0;
  for (const std::string& name : machine.names("/sys/devices/system/node")) {
    if (name.rfind("node", 0) == 0) ++count;
  }
  return count;
}

}  // namespace

CheckResult check_numa(const System& system) {
  const Machine& machine = system.machine;
  const std::size_t nodes = node_count(machine);
  CheckResult result = {fmt::format("{} node{}", nodes, nodes == 1 ? "" : "s"), {}};
  if (nodes > 1 && machine.number("/proc/sys/kernel/numa_balancing").value_or(0) != 0) {
    result.findings.push_back({"D-01", "kernel.numa_balancing is not 0"});
  }
  if (nodes <= 1) return result;
  const std::string allowed = machine.table("/proc/self/status")["Mems_allowed_list"];
  std::set<std::int64_t> closed;
  bool unknown = false;
  for (const ComputeGpu& gpu : system.hardware.gpus) {
    const auto node = machine.number(gpu.folder + "/numa_node");
    if (!node) continue;
    if (*node < 0) unknown = true;
    if (*node >= 0 && !allowed.empty() && !list_holds(allowed, *node)) closed.insert(*node);
  }
  for (const std::int64_t node : closed) {
    result.findings.push_back(
        {"MEM-14",
         fmt::format("cards hang on node {}, and this process may use node {} only", node, allowed),
         fmt::format("start with `numactl --cpunodebind={} --membind={}`", node, node)});
  }
  if (unknown)
    result.findings.push_back({"D-20", fmt::format("{} nodes, and a card on none", nodes)});
  return result;
}

}  // namespace hone::doctor
