#include "device/cpu/file_device.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kPageBytes = 4096;

std::string reason(int error) {
  return std::strerror(error);
}

// A file of the folder that nobody else sees, or -1 with errno.
int open_nameless(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  // File systems without nameless files.
  std::string name = (folder / "hone-offload-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

bool lies_in_memory(const struct statfs& system) {
  return system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC;
}

}  // namespace

FileDevice::FileDevice(std::filesystem::path folder, std::string asked)
    : folder_(std::move(folder)), asked_(std::move(asked)) {
  properties_.kind = DeviceKind::cpu;
  properties_.name = "files of " + folder_.string();
  struct statfs system = {};
  if (::statfs(folder_.c_str(), &system) != 0) {
    throw UserError({asked_, folder_.string() + ": " + reason(errno),
                     "name a folder that is there, on a fast local disk"});
  }
  if (lies_in_memory(system)) {
    throw UserError({asked_, folder_.string() + " lies in memory itself",
                     "name a folder on a disk, or write \"device\": \"cpu\""});
  }
  const int file = open_nameless(folder_);
  if (file < 0) {
    throw UserError({asked_, folder_.string() + ": " + reason(errno),
                     "name a folder that this user may write into"});
  }
  ::close(file);
  properties_.memory_bytes =
      static_cast<std::size_t>(system.f_bavail) * static_cast<std::size_t>(system.f_bsize);
}

void* FileDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const int file = open_nameless(folder_);
  int error = file < 0 ? errno : ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
  void* memory = MAP_FAILED;
  if (error == 0) {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) error = errno;
  }
  if (file >= 0) ::close(file);
  if (memory == MAP_FAILED) {
    throw UserError(
        {asked_ + ": " + std::to_string(bytes) + " bytes in files of " + folder_.string(),
         reason(error) + ", " + std::to_string(properties_.memory_bytes) + " bytes were free there",
         "name a folder on a disk with more room"});
  }
  mappings_.push_back({static_cast<std::byte*>(memory), bytes});
  return memory;
}

void FileDevice::release(void* memory, std::size_t bytes) {
  std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.begin == memory; });
  ::munmap(memory, bytes);
}

void FileDevice::copy_in(void* device, const void* host, std::size_t bytes) {
  if (bytes > 0) std::memcpy(device, host, bytes);
}

void FileDevice::copy_out(void* host, const void* device, std::size_t bytes) {
  if (bytes > 0) std::memcpy(host, device, bytes);
}

void FileDevice::fill_zero(void* device, std::size_t bytes) {
  if (bytes > 0) std::memset(device, 0, bytes);
}

// Pages of a shared mapping keep what they hold when they are let go: it is the file's.
void FileDevice::set_aside(const void* memory, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(memory);
  for (const Mapping& mapping : mappings_) {
    const std::byte* begin = std::max<const std::byte*>(first, mapping.begin);
    const std::byte* end = std::min<const std::byte*>(first + bytes, mapping.begin + mapping.bytes);
    if (begin >= end) continue;
    const std::size_t offset =
        static_cast<std::size_t>(begin - mapping.begin) / kPageBytes * kPageBytes;
    ::madvise(mapping.begin + offset, static_cast<std::size_t>(end - mapping.begin) - offset,
              MADV_DONTNEED);
  }
}

void FileDevice::set_all_aside() {
  for (const Mapping& mapping : mappings_) ::madvise(mapping.begin, mapping.bytes, MADV_DONTNEED);
}

}  // namespace hone
