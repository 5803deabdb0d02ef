// A plain file as read-only memory.
//
// Pages are read when first touched and can be dropped by the system at any time, so a mapped file
// costs address space, not memory. Should another program shorten the file while it is mapped,
// touching the lost pages ends the process (SIGBUS); sizes are therefore checked once, after
// opening, and files that we write are replaced by renaming, never rewritten in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "formats/regular_file.h"

namespace hone::formats {

class MappedFile {
 public:
  // Errors (UserError): see open_regular_file. An empty file maps to no bytes.
  explicit MappedFile(const std::filesystem::path& file);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_bytes_}; }
  std::size_t size_bytes() const { return size_bytes_; }
  const std::filesystem::path& path() const { return path_; }  // absolute
  const FileIdentity& identity() const { return identity_; }

  // The whole pages of `part`, a part of bytes(), leave the process's memory until they are read
  // again; pages that it shares with its neighbours stay.
  void let_go(std::span<const std::byte> part) const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
  std::filesystem::path path_;
  FileIdentity identity_;
};

}  // namespace hone::formats
