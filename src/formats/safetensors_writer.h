// Writing safetensors files, tensor by tensor, without holding them.
//
// The bytes are those of the reference implementation (0.8.0): tensors sorted by dtype (largest
// alignment first) and then by name, a compact header padded by blanks to a multiple of 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"
#include "formats/file_writer.h"

namespace hone::formats {

struct TensorSpec {
  std::string name;
  DType dtype = DType::f32;  // not c128
  Shape shape;

  std::uint64_t bytes() const;
};

// "__metadata__": transformers wants {{"format", "pt"}}.
using SafetensorsMetadata = std::vector<std::pair<std::string, std::string>>;

// Protocol: construct, write() the bytes of all tensors in the order of order(), commit(). Without
// commit() nothing stays.
class SafetensorsWriter {
 public:
  // Names must be unique. `files` must outlive the writer.
  SafetensorsWriter(FileSystem& files, const std::filesystem::path& file,
                    std::vector<TensorSpec> tensors, const SafetensorsMetadata& metadata = {},
                    FileWriter::Placement placement = FileWriter::Placement::atomic);

  // The order in which the bytes must come.
  const std::vector<TensorSpec>& order() const { return tensors_; }

  // The next bytes, cut as the caller likes.
  void write(std::span<const std::byte> bytes);

  // All bytes must have come.
  void commit();

 private:
  std::vector<TensorSpec> tensors_;
  std::uint64_t total_bytes_ = 0;  // of header and data
  FileWriter writer_;
};

}  // namespace hone::formats
