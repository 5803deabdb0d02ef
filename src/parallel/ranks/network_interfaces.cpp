#include "parallel/ranks/network_interfaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>

#include <algorithm>

#include "base/error.h"

namespace hone::parallel {

std::vector<std::string> network_interfaces() {
  std::vector<std::string> names;
  struct if_nameindex* const list = if_nameindex();
  if (list == nullptr) return names;
  for (const struct if_nameindex* one = list; one->if_index != 0; ++one) {
    names.emplace_back(one->if_name);
  }
  if_freenameindex(list);
  return names;
}

void require_network_interface(const std::string& asked, const std::string& name) {
  const std::vector<std::string> names = network_interfaces();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw UserError({fmt::format("{}: '{}'", asked, name),
                   fmt::format("this machine has {}", fmt::join(names, ", ")),
                   "name one of these, by which the other ranks can reach this machine"});
}

}  // namespace hone::parallel
