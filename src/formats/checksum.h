// xxHash64 (seed 0): fast checksums of files and data. What `xxhsum -H64` prints.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace hone::formats {

class Checksum {
 public:
  // Bytes may come in pieces of any size.
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  void add(std::int64_t value);  // its 8 bytes, little endian

  std::uint64_t value() const;
  std::string text() const;  // 16 hexadecimal digits
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  void stripe(const std::byte* bytes);

  std::array<std::uint64_t, 4> lanes_ = {0x60EA27EEADC0B5D6u, 0xC2B2AE3D27D4EB4Fu, 0,
                                         0x61C8864E7A143579u};
  std::array<std::byte, 32> rest_ = {};
  std::size_t rest_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
};

// Of a whole file. Errors (UserError): see open_regular_file.
Checksum checksum_of_file(const std::filesystem::path& file);

}  // namespace hone::formats
