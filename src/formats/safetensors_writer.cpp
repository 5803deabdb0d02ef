#include "formats/safetensors_writer.h"

#include <algorithm>

#include "base/error.h"
#include "formats/json_writer.h"
#include "formats/safetensors_dtype.h"

namespace hone::formats {
namespace {

std::vector<TensorSpec> sorted(std::vector<TensorSpec> tensors) {
  for (const TensorSpec& tensor : tensors) {
    HONE_ASSERT(safetensors_dtype_of(tensor.dtype) != nullptr, tensor.name, name(tensor.dtype));
  }
  std::sort(tensors.begin(), tensors.end(), [](const TensorSpec& left, const TensorSpec& right) {
    const int left_order = safetensors_dtype_of(left.dtype)->order;
    const int right_order = safetensors_dtype_of(right.dtype)->order;
    return left_order != right_order ? left_order > right_order : left.name < right.name;
  });
  return tensors;
}

Value entry_of(const TensorSpec& tensor, std::uint64_t begin) {
  Array shape;
  for (int axis = 0; axis < tensor.shape.rank(); ++axis) shape.emplace_back(tensor.shape[axis]);
  Array offsets;
  offsets.emplace_back(static_cast<std::int64_t>(begin));
  offsets.emplace_back(static_cast<std::int64_t>(begin + tensor.bytes()));
  Value entry{Object()};
  entry.set("dtype", std::string(safetensors_dtype_of(tensor.dtype)->name));
  entry.set("shape", std::move(shape));
  entry.set("data_offsets", std::move(offsets));
  return entry;
}

// Length and header, padded.
std::string header_of(const std::vector<TensorSpec>& tensors, const SafetensorsMetadata& metadata) {
  Object root;
  if (!metadata.empty()) {
    Object entries;
    for (const auto& [key, value] : metadata) entries.push_back({key, Value(value)});
    root.push_back({"__metadata__", Value(std::move(entries))});
  }
  std::uint64_t begin = 0;
  for (const TensorSpec& tensor : tensors) {
    root.push_back({tensor.name, entry_of(tensor, begin)});
    begin += tensor.bytes();
  }
  PythonStyle style;
  style.compact = true;
  style.ensure_ascii = false;
  std::string json = dump_python(Value(std::move(root)), style);
  json.append((8 - json.size() % 8) % 8, ' ');
  std::string header;
  for (int byte = 0; byte < 8; ++byte) {
    header += static_cast<char>(std::uint64_t{json.size()} >> (8 * byte) & 0xFF);
  }
  return header + json;
}

}  // namespace

std::uint64_t TensorSpec::bytes() const {
  return static_cast<std::uint64_t>(shape.elements()) * size_bytes(dtype);
}

SafetensorsWriter::SafetensorsWriter(FileSystem& files, const std::filesystem::path& file,
                                     std::vector<TensorSpec> tensors,
                                     const SafetensorsMetadata& metadata,
                                     FileWriter::Placement placement)
    : tensors_(sorted(std::move(tensors))), writer_(files, file, placement) {
  const std::string header = header_of(tensors_, metadata);
  total_bytes_ = header.size();
  for (const TensorSpec& tensor : tensors_) total_bytes_ += tensor.bytes();
  writer_.write(header);
}

void SafetensorsWriter::write(std::span<const std::byte> bytes) {
  HONE_ASSERT(writer_.written_bytes() + bytes.size() <= total_bytes_, writer_.path(),
              writer_.written_bytes(), bytes.size(), total_bytes_);
  writer_.write(bytes);
}

void SafetensorsWriter::commit() {
  HONE_ASSERT(writer_.written_bytes() == total_bytes_, writer_.path(), writer_.written_bytes(),
              total_bytes_);
  writer_.commit();
}

}  // namespace hone::formats
