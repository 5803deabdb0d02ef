#include "formats/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

std::string describe_kind(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

[[noreturn]] void refuse_kind(const std::filesystem::path& file, mode_t mode) {
  throw UserError({"read: " + shown_path(file), describe_kind(mode) + ", not a plain file",
                   "give the path of a plain file"});
}

std::string remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or choose another folder";
    case ENOENT:
    case ENOTDIR:
      return "check the spelling of the path";
    case EACCES:
    case EPERM:
      return "change the permissions, or run as a user who may do this";
    case EROFS:
      return "choose a folder that can be written to";
    case EMFILE:
    case ENFILE:
      return "allow more open files (ulimit -n 4096)";
    default:
      return "look at the disk and at the system's log (dmesg)";
  }
}

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RegularFile open_regular_file(const std::filesystem::path& file) {
  if (file.native().find('\0') != std::string::npos) {
    throw UserError(
        {"read: " + shown_path(file), "a zero byte in the name", "check the spelling of the path"});
  }
  struct stat status = {};
  if (::stat(file.c_str(), &status) != 0) throw UserError(system_fault("read", file, errno));
  if (!S_ISREG(status.st_mode)) refuse_kind(file, status.st_mode);
  // Not blocking: should a pipe have taken the file's place since the look above.
  FileDescriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (descriptor.get() < 0) throw UserError(system_fault("read", file, errno));
  if (::fstat(descriptor.get(), &status) != 0) throw UserError(system_fault("read", file, errno));
  if (!S_ISREG(status.st_mode)) refuse_kind(file, status.st_mode);
  RegularFile opened;
  opened.descriptor = std::move(descriptor);
  std::error_code ignored;
  opened.path = std::filesystem::absolute(file, ignored).lexically_normal();
  opened.identity = {static_cast<std::uint64_t>(status.st_dev),
                     static_cast<std::uint64_t>(status.st_ino),
                     static_cast<std::uint64_t>(status.st_size),
                     status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec};
  return opened;
}

bool read_block(const FileDescriptor& file, const std::string& name, std::string& buffer) {
  constexpr std::size_t kBlockBytes = 1 << 20;
  const std::size_t held = buffer.size();
  buffer.resize(held + kBlockBytes);
  ssize_t got = 0;
  do {
    got = ::read(file.get(), buffer.data() + held, kBlockBytes);
  } while (got < 0 && errno == EINTR);
  if (got < 0) throw UserError(system_fault("read", name, errno));
  buffer.resize(held + static_cast<std::size_t>(got));
  return got > 0;
}

std::string shown_path(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  return printable((error ? file : absolute.lexically_normal()).native(), 4096);
}

Fault system_fault(const std::string& action, const std::filesystem::path& file, int error_number) {
  return {action + ": " + shown_path(file), std::generic_category().message(error_number),
          remedy_for(error_number)};
}

}  // namespace hone::formats
