// Bytes of safetensors files, valid and not.
#pragma once

#include <cstdint>
#include <string>

namespace hone::formats {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int byte = 0; byte < bytes; ++byte) text += static_cast<char>(value >> (8 * byte) & 0xFF);
  return text;
}

// Length, header, and that many bytes of data, counting up.
inline std::string safetensors_bytes(const std::string& header, std::size_t data_bytes) {
  std::string text = little_endian(header.size(), 8) + header;
  for (std::size_t at = 0; at < data_bytes; ++at) text += static_cast<char>(at);
  return text;
}

}  // namespace hone::formats
