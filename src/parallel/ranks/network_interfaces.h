// The network interfaces of this machine, by name.
#pragma once

#include <string>
#include <vector>

namespace hone::parallel {

// In the order of the system: "lo", "eth0".
std::vector<std::string> network_interfaces();

// Throws UserError, with the names that exist, when there is no interface called `name`.
// `asked` says where the name came from: "GLOO_SOCKET_IFNAME".
void require_network_interface(const std::string& asked, const std::string& name);

}  // namespace hone::parallel
