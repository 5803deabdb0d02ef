#include "device/cpu/cpu_device.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

namespace hone {
namespace {

constexpr std::size_t kPage = 4096;

// Pages of memory that the system has really given.
std::int64_t resident_pages(void* memory, std::size_t bytes) {
  std::vector<unsigned char> resident((bytes + kPage - 1) / kPage);
  EXPECT_EQ(mincore(memory, bytes, resident.data()), 0);
  return std::count_if(resident.begin(), resident.end(),
                       [](unsigned char page) { return (page & 1) != 0; });
}

class PopulateTest : public testing::TestWithParam<std::size_t> {};

TEST_P(PopulateTest, TakesEveryPageAndKeepsItZero) {
  const auto device = open_cpu_device({.threads = 2});
  const DeviceMemory memory(*device, GetParam());
  const auto pages = static_cast<std::int64_t>((GetParam() + kPage - 1) / kPage);
  EXPECT_EQ(resident_pages(memory.data(), GetParam()), 0);
  device->populate(memory.data(), GetParam());
  EXPECT_EQ(resident_pages(memory.data(), GetParam()), pages);
  const auto* bytes = static_cast<const char*>(memory.data());
  EXPECT_TRUE(std::all_of(bytes, bytes + GetParam(), [](char byte) { return byte == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Sizes, PopulateTest,
                         testing::Values(1, kPage, kPage + 1, 700 * kPage - 1,
                                         (std::size_t{5} << 20) + 3));

TEST(CpuDevice, PopulatesNothingWhereNothingIs) {
  const auto device = open_cpu_device({.threads = 2});
  device->populate(nullptr, 0);
}

}  // namespace
}  // namespace hone
