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

TEST(NetworkInterfaces, TheAddressByWhichAHostIsReached) {
  EXPECT_EQ(address_towards("127.0.0.1", 29500), "127.0.0.1");
  EXPECT_EQ(address_towards("", 29500), "");
  EXPECT_EQ(address_towards("no such host", 29500), "");
}

}  // namespace
}  // namespace hone::parallel
