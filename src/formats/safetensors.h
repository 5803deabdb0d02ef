// Reading safetensors files.
//
// Format: u64 little endian n; n bytes of JSON, starting with '{', possibly padded by blanks at the
// end: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, ...} and possibly
// "__metadata__": {string: string}; then the data, which the tensors tile. Little endian,
// row-major. n is at most 100,000,000, as in the reference implementation.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/tensor_view.h"
#include "formats/mapped_file.h"
#include "formats/safetensors_header.h"

namespace hone::formats {

inline constexpr std::uint64_t kMaxSafetensorsHeaderBytes = 100'000'000;

class SafetensorsFile {
 public:
  // Maps the file and checks all of its header; the data is not touched. Errors (UserError): no
  // plain file; cut short, with the expected and the found size; a git-lfs pointer, an HTML page;
  // every break of the format, with tensor and byte.
  explicit SafetensorsFile(const std::filesystem::path& file);

  // In the order of their bytes.
  const std::vector<SafetensorsEntry>& tensors() const { return header_.tensors; }
  const std::vector<std::pair<std::string, std::string>>& metadata() const {
    return header_.metadata;
  }
  // nullptr when there is none of that name.
  const SafetensorsEntry* find(std::string_view name) const;

  std::span<const std::byte> bytes(const SafetensorsEntry& tensor) const;

  // The tensor where it lies in the file, as long as this object lives. Where an unpadded header or
  // an odd neighbour left it unaligned for its dtype, a copy made at the first call; so one thread
  // at a time. Errors (UserError): no such tensor; a dtype that hone cannot hold; more than 4
  // extents.
  ConstTensorView view(std::string_view name) const;

  const MappedFile& file() const { return file_; }

 private:
  const void* aligned(const SafetensorsEntry& tensor, std::size_t alignment) const;

  MappedFile file_;
  std::string shown_name_;
  std::size_t data_start_ = 0;
  SafetensorsHeader header_;
  std::unordered_map<std::string_view, std::size_t> index_;  // names point into header_
  mutable std::map<std::uint64_t, std::unique_ptr<std::byte[]>> copies_;  // by begin
};

}  // namespace hone::formats
