// Opening files that must be plain files, and the errors of doing so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace hone::formats {

// Which file it is and in which state, for keys of caches: equal means the same bytes, as far as
// the file system can tell.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_nanoseconds = 0;

  bool operator==(const FileIdentity& other) const = default;
};

// Owns a descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

struct RegularFile {
  FileDescriptor descriptor;
  std::filesystem::path path;  // absolute
  FileIdentity identity;
};

// Opens for reading what is, directly or through links, a plain file. A pipe, device, socket or
// folder is refused before it is opened, so nothing can hang. Errors (UserError) name the absolute
// path and the reason.
RegularFile open_regular_file(const std::filesystem::path& file);

// Appends the next block of a file, at most a MiB, to `buffer`; false at the end of the file.
// `name` is for the error (UserError) of a file that cannot be read.
bool read_block(const FileDescriptor& file, const std::string& name, std::string& buffer);

// The path as errors show it: absolute, without "." and "..", and printable.
std::string shown_path(const std::filesystem::path& file);

// The fault of a failed system call: "write: /a/b.json", "No space left on device", and a remedy
// that fits the error number.
Fault system_fault(const std::string& action, const std::filesystem::path& file, int error_number);

}  // namespace hone::formats
