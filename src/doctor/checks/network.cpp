// Interfaces between ranks: Ethernet names, and InfiniBand or RoCE cards.
#include <algorithm>

#include <fmt/format.h>

#include "doctor/check.h"

namespace hone::doctor {
namespace {

bool begins_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

// NCCL_SOCKET_IFNAME: names' beginnings, "=" in front for whole names, "^" for all but these.
bool chosen(const std::string& name, std::string filter) {
  const bool exclude = begins_with(filter, "^");
  if (exclude) filter.erase(0, 1);
  const bool exact = begins_with(filter, "=");
  if (exact) filter.erase(0, 1);
  bool matches = false;
  std::size_t start = 0;
  while (start < filter.size()) {
    const std::size_t end = std::min(filter.find(',', start), filter.size());
    const std::string part = filter.substr(start, end - start);
    matches = matches || (exact ? name == part : begins_with(name, part));
    start = end + 1;
  }
  return matches != exclude;
}

void look_at_interfaces(const Machine& machine, CheckResult& result) {
  const std::vector<std::string> names = machine.names("/sys/class/net");
  const auto filter = machine.variable("NCCL_SOCKET_IFNAME");
  std::string list;
  bool any = false;
  for (const std::string& name : names) {
    append_item(list, " ", name);
    any = any || !filter || chosen(name, *filter);
  }
  result.known = !list.empty();
  result.summary = list.empty() ? "not shown" : list;
  if (!any && filter && !names.empty()) {
    result.findings.push_back(
        {"NET-01", fmt::format("NCCL_SOCKET_IFNAME={} names none of: {}", *filter, list)});
  }
}

void look_at_infiniband(const Machine& machine, CheckResult& result) {
  const std::vector<std::string> cards = machine.names("/sys/class/infiniband");
  if (cards.empty()) return;
  result.summary += "; " + cards.front();
  if (machine.names("/dev/infiniband").empty()) {
    result.findings.push_back({"NET-06", cards.front() + " is there, /dev/infiniband is not"});
  }
  const std::optional<Limit> locked = machine.limit("Max locked memory");
  if (locked && locked->soft) {
    result.findings.push_back({"D-12", fmt::format("{} bytes may be locked, and {} wants no limit",
                                                   *locked->soft, cards.front())});
  }
}

}  // namespace

CheckResult check_network(const System& system) {
  CheckResult result;
  look_at_interfaces(system.machine, result);
  look_at_infiniband(system.machine, result);
  const auto legacy = system.machine.variable("HSA_ENABLE_IPC_MODE_LEGACY");
  if (legacy) {
    result.findings.push_back({"NET-18", "HSA_ENABLE_IPC_MODE_LEGACY=" + *legacy + " is set",
                               "unset it, on all ranks alike", Grade::warning});
  }
  return result;
}

}  // namespace hone::doctor
