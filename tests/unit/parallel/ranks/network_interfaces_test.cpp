#include "parallel/ranks/network_interfaces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"

namespace hone::parallel {
namespace {

TEST(NetworkInterfaces, AWrongOneIsRefusedWithThoseThatExist) {
  const std::vector<std::string> names = network_interfaces();
  ASSERT_NE(std::find(names.begin(), names.end(), "lo"), names.end());
  require_network_interface("GLOO_SOCKET_IFNAME", "lo");
  try {
    require_network_interface("GLOO_SOCKET_IFNAME", "nosuch0");
    FAIL() << "was not refused";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("GLOO_SOCKET_IFNAME: 'nosuch0'\n  found: this machine has "), 0u) << text;
    EXPECT_NE(text.find("lo"), std::string::npos) << text;
    EXPECT_NE(text.find("name one of these"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace hone::parallel
