// Builds GGUF files for tests, valid and not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "formats/gguf_types.h"
#include "unit/formats/safetensors_bytes.h"

namespace hone::formats {

inline std::string u32(std::uint64_t value) {
  return little_endian(value, 4);
}
inline std::string u64(std::uint64_t value) {
  return little_endian(value, 8);
}
inline std::string gguf_string(const std::string& text) {
  return u64(text.size()) + text;
}

inline std::string gguf_entry(const std::string& key, GgufKind kind, const std::string& value) {
  return gguf_string(key) + u32(static_cast<std::uint32_t>(kind)) + value;
}

inline std::string gguf_list(GgufKind kind, std::uint64_t count, const std::string& items) {
  return u32(static_cast<std::uint32_t>(kind)) + u64(count) + items;
}

// Extents innermost first, as in the file.
inline std::string gguf_tensor(const std::string& name, const std::vector<std::uint64_t>& extents,
                               std::uint32_t type, std::uint64_t offset) {
  std::string text = gguf_string(name) + u32(extents.size());
  for (const std::uint64_t extent : extents) text += u64(extent);
  return text + u32(type) + u64(offset);
}

struct GgufBytes {
  std::uint32_t version = 3;
  std::vector<std::string> entries;
  std::vector<std::string> tensors;
  std::string data;
  std::size_t alignment = 32;

  std::string text() const {
    std::string text = "GGUF" + u32(version) + u64(tensors.size()) + u64(entries.size());
    for (const std::string& entry : entries) text += entry;
    for (const std::string& tensor : tensors) text += tensor;
    text.resize((text.size() + alignment - 1) / alignment * alignment, '\0');
    return text + data;
  }
};

}  // namespace hone::formats
