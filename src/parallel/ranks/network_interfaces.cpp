#include "parallel/ranks/network_interfaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

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

std::string address_towards(const std::string& host, int port) {
  addrinfo hints = {};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list) != 0) return {};
  std::string address;
  for (const addrinfo* one = list; one != nullptr && address.empty(); one = one->ai_next) {
    const int socket = ::socket(one->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) continue;
    sockaddr_storage own = {};
    socklen_t size = sizeof own;
    std::array<char, NI_MAXHOST> text = {};
    // A datagram socket that is connected has chosen its way, and sends nothing.
    if (::connect(socket, one->ai_addr, one->ai_addrlen) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
        ::getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text.data(), text.size(), nullptr, 0,
                      NI_NUMERICHOST) == 0) {
      address = text.data();
    }
    ::close(socket);
  }
  freeaddrinfo(list);
  return address;
}

}  // namespace hone::parallel
