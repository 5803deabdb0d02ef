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

// The address of this machine by which `host` is reached, as numbers: what that host can reach this
// machine at. "127.0.0.1" for this machine itself. Nothing is sent. Empty when the host's name is
// not known or there is no way to it.
std::string address_towards(const std::string& host, int port);

}  // namespace hone::parallel
