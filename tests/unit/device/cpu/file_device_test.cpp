#include "device/cpu/file_device.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "device/cpu/cpu_device.h"
#include "unit/formats/temporary_folder.h"

namespace hone {
namespace {

constexpr std::size_t kBytes = std::size_t{48} << 20;

TEST(FileDevice, HoldsWhatWasSetAside) {
  const formats::TemporaryFolder place("/var/tmp");
  FileDevice device(place.path(), "nvme_path");
  DeviceMemory memory(device, kBytes);
  auto* bytes = static_cast<unsigned char*>(memory.data());
  EXPECT_EQ(bytes[kBytes - 1], 0);
  const std::size_t before = resident_bytes();
  std::memset(bytes, 7, kBytes);
  EXPECT_GT(resident_bytes(), before + kBytes / 2);
  device.set_aside(bytes, kBytes);
  EXPECT_LT(resident_bytes(), before + kBytes / 4);
  for (std::size_t at = 0; at < kBytes; at += 4096 + 1) ASSERT_EQ(bytes[at], 7) << at;
}

TEST(FileDevice, SetsAsideAPartAndNothingOfOthers) {
  const formats::TemporaryFolder place("/var/tmp");
  FileDevice device(place.path(), "nvme_path");
  DeviceMemory memory(device, 3 * 4096);
  auto* bytes = static_cast<unsigned char*>(memory.data());
  std::memset(bytes, 7, 3 * 4096);
  device.set_aside(bytes + 100, 5000);
  std::vector<unsigned char> other(3 * 4096, 9);
  device.set_aside(other.data(), other.size());
  EXPECT_EQ(bytes[0], 7);
  EXPECT_EQ(bytes[5000], 7);
  EXPECT_EQ(other[4096], 9);
}

TEST(FileDevice, LeavesNothingInTheFolder) {
  const formats::TemporaryFolder place("/var/tmp");
  FileDevice device(place.path(), "nvme_path");
  const DeviceMemory memory(device, 4096);
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

std::string fault(const std::filesystem::path& folder, std::size_t bytes = 1) {
  try {
    FileDevice device(folder, "nvme_path: 'x'");
    const DeviceMemory memory(device, bytes);
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(FileDevice, SaysWhatIsWrongWithTheFolder) {
  EXPECT_EQ(fault("/nowhere/at/all"),
            "nvme_path: 'x'\n"
            "  found: /nowhere/at/all: No such file or directory\n"
            "  to do: name a folder that is there, on a fast local disk");
  const formats::TemporaryFolder place("/var/tmp");
  const std::string full = fault(place.path(), std::size_t{1} << 60);
  EXPECT_NE(full.find("to do: name a folder on a disk with more room"), std::string::npos) << full;
  if (std::filesystem::exists("/dev/shm")) {
    EXPECT_EQ(fault("/dev/shm"),
              "nvme_path: 'x'\n"
              "  found: /dev/shm lies in memory itself\n"
              "  to do: name a folder on a disk, or write \"device\": \"cpu\"");
  }
}

}  // namespace
}  // namespace hone
