// The JSON header of a safetensors file: which tensors there are and which bytes they have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/safetensors_dtype.h"

namespace hone::formats {

struct SafetensorsEntry {
  std::string name;
  const SafetensorsDType* type = nullptr;
  std::vector<std::int64_t> shape;  // outermost first; any rank
  std::uint64_t begin = 0;          // bytes [begin, end), counted from the first byte of the data
  std::uint64_t end = 0;

  std::uint64_t size_bytes() const { return end - begin; }
  std::string shape_text() const;  // "[3, 16]"
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> tensors;                      // in the order of their bytes
  std::vector<std::pair<std::string, std::string>> metadata;  // in the order of the header
};

// Reads a header and proves that its tensors tile `data_bytes` without gap or overlap, each as
// large as its dtype and shape say. Memory grows with the number of tensors only. Errors
// (UserError) name file, tensor and byte.
SafetensorsHeader read_safetensors_header(std::string_view json, std::uint64_t data_bytes,
                                          const std::string& file_name);

}  // namespace hone::formats
