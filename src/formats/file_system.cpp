#include "formats/file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <vector>

#include "formats/regular_file.h"

namespace hone::formats {

FileSystem::Handle PosixFileSystem::create(const std::filesystem::path& file) {
  const int handle = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (handle < 0) throw UserError(system_fault("write", file, errno));
  return handle;
}

void PosixFileSystem::write(Handle handle, const std::filesystem::path& file,
                            std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw UserError(system_fault("write", file, errno));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void PosixFileSystem::sync(Handle handle, const std::filesystem::path& file) {
  if (::fsync(handle) != 0) throw UserError(system_fault("write", file, errno));
}

void PosixFileSystem::close(Handle handle) {
  ::close(handle);
}

void PosixFileSystem::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) throw UserError(system_fault("write", to, errno));
}

void PosixFileSystem::remove(const std::filesystem::path& file) {
  if (::remove(file.c_str()) != 0) throw UserError(system_fault("remove", file, errno));
}

void PosixFileSystem::create_folder(const std::filesystem::path& folder) {
  if (::mkdir(folder.c_str(), 0777) == 0) return;
  const int error_number = errno;
  std::error_code ignored;
  if (error_number == EEXIST && std::filesystem::is_directory(folder, ignored)) return;
  throw UserError(system_fault("make the folder", folder, error_number));
}

void PosixFileSystem::sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path named = folder.empty() ? std::filesystem::path(".") : folder;
  const FileDescriptor descriptor(::open(named.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.get() < 0) throw UserError(system_fault("write", folder, errno));
  // Some network file systems cannot sync a folder and say EINVAL; their names are safe already.
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) {
    throw UserError(system_fault("write", folder, errno));
  }
}

void remove_tree(FileSystem& files, const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::symlink_status(folder, error);
  if (!std::filesystem::exists(status)) return;
  if (std::filesystem::is_directory(status)) {
    std::vector<std::filesystem::path> inside;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      inside.push_back(entry->path());
    }
    if (error) throw UserError(system_fault("remove", folder, error.value()));
    std::sort(inside.begin(), inside.end());
    for (const std::filesystem::path& path : inside) remove_tree(files, path);
  }
  files.remove(folder);
}

}  // namespace hone::formats
