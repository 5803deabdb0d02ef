#include "formats/gguf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "formats/foreign_content.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::uint64_t kDefaultAlignment = 32;
// A megabyte is far above any use, and keeps sums of offsets from overflowing.
constexpr std::int64_t kMaxAlignment = 1 << 20;
// The least that an entry of the two tables takes: lengths, types, and an empty name.
constexpr std::uint64_t kLeastMetadataBytes = 8 + 4 + 1;
constexpr std::uint64_t kLeastTensorBytes = 8 + 4 + 4 + 8;

void check_magic(GgufCursor& cursor, std::string_view start, std::size_t file_bytes) {
  if (start.substr(0, 4) == "GGUF") {
    cursor.take(4, "the magic number");
    return;
  }
  const std::optional<ForeignContent> foreign = foreign_content(start);
  if (foreign) {
    cursor.refuse(fmt::format("{} ({} bytes), not a GGUF file", foreign->what, file_bytes));
  }
  cursor.refuse(fmt::format("'{}' ({} bytes) where 'GGUF' should be: not a GGUF file",
                            printable(start.substr(0, 4)), file_bytes));
}

Shape to_shape(const std::array<std::int64_t, 4>& innermost_first, std::uint32_t rank) {
  const auto& extent = innermost_first;
  switch (rank) {
    case 0:
      return {};
    case 1:
      return {extent[0]};
    case 2:
      return {extent[1], extent[0]};
    case 3:
      return {extent[2], extent[1], extent[0]};
    default:
      return {extent[3], extent[2], extent[1], extent[0]};
  }
}

}  // namespace

GgufFile::GgufFile(const std::filesystem::path& file) : file_(file), shown_name_(shown_path(file)) {
  GgufCursor cursor(file_.bytes(), shown_name_);
  check_magic(cursor, file_.text().substr(0, 256), file_.size_bytes());
  read_header(cursor);
}

void GgufFile::read_header(GgufCursor& cursor) {
  version_ = cursor.read<std::uint32_t>("the version");
  if (version_ != 0 && (version_ & 0xFFFF) == 0) {
    cursor.refuse("a big-endian file; hone reads little-endian ones");
  }
  if (version_ < 2 || version_ > 3) {
    cursor.refuse(fmt::format("version {}; hone reads versions 2 and 3", version_));
  }
  const std::uint64_t tensors = cursor.read_count("the number of tensors", kLeastTensorBytes);
  const std::uint64_t entries =
      cursor.read_count("the number of metadata entries", kLeastMetadataBytes);
  read_metadata(cursor, entries);
  for (std::uint64_t index = 0; index < tensors; ++index) {
    cursor.set_subject(fmt::format("tensor {}", index));
    read_tensor(cursor);
  }
  place_tensors(cursor);
  check_overlap(cursor);
}

void GgufFile::read_metadata(GgufCursor& cursor, std::uint64_t count) {
  for (std::uint64_t index = 0; index < count; ++index) {
    cursor.set_subject(fmt::format("metadata entry {}", index));
    const std::string_view key = cursor.read_string("the key");
    cursor.set_subject(fmt::format("metadata '{}'", printable(key)));
    if (metadata_.count(key) != 0) cursor.refuse("the same key a second time");
    metadata_.emplace(key, read_gguf_value(cursor));
  }
}

void GgufFile::read_tensor(GgufCursor& cursor) {
  GgufTensor tensor;
  tensor.name = cursor.read_string("the name");
  cursor.set_subject(fmt::format("tensor '{}'", printable(tensor.name)));
  if (!tensor_index_.emplace(tensor.name, tensors_.size()).second) {
    cursor.refuse("the same name a second time");
  }
  const std::uint32_t rank = cursor.read<std::uint32_t>("the rank");
  if (rank > 4) cursor.refuse(fmt::format("rank {}, more than 4", rank), cursor.offset() - 4);
  std::array<std::int64_t, 4> extents = {1, 1, 1, 1};
  std::int64_t elements = 1;
  for (std::uint32_t axis = 0; axis < rank; ++axis) {
    extents[axis] = cursor.read<std::int64_t>("an extent");
    if (extents[axis] < 0 || __builtin_mul_overflow(elements, extents[axis], &elements)) {
      cursor.refuse("a shape too large to count", cursor.offset() - 8);
    }
  }
  tensor.shape = to_shape(extents, rank);
  const std::uint32_t type = cursor.read<std::uint32_t>("the element type");
  tensor.type = find_ggml_type(type);
  if (tensor.type == nullptr) {
    cursor.refuse(fmt::format("the unknown element type {}", type), cursor.offset() - 4);
  }
  if (extents[0] % tensor.type->block_elements != 0) {
    cursor.refuse(fmt::format("rows of {} elements, no multiple of the {} of a block of {}",
                              extents[0], tensor.type->block_elements, tensor.type->name));
  }
  const std::uint64_t blocks = static_cast<std::uint64_t>(elements) / tensor.type->block_elements;
  if (__builtin_mul_overflow(blocks, std::uint64_t{tensor.type->block_bytes}, &tensor.size_bytes)) {
    cursor.refuse("a shape too large to count");
  }
  tensor.offset = cursor.read<std::uint64_t>("the offset");
  tensors_.push_back(tensor);
}

// Turns offsets from the start of the data into offsets in the file, and proves that they fit.
void GgufFile::place_tensors(GgufCursor& cursor) {
  cursor.set_subject("metadata 'general.alignment'");
  const std::int64_t given = optional_integer("general.alignment").value_or(kDefaultAlignment);
  if (given < 8 || given > kMaxAlignment || (given & (given - 1)) != 0) {
    cursor.refuse(fmt::format("an alignment of {} bytes, not a power of two from 8 on", given));
  }
  const std::uint64_t alignment = static_cast<std::uint64_t>(given);
  const std::uint64_t start = (cursor.offset() + alignment - 1) / alignment * alignment;
  for (GgufTensor& tensor : tensors_) {
    cursor.set_subject(fmt::format("tensor '{}'", printable(tensor.name)));
    if (tensor.offset % alignment != 0) {
      cursor.refuse(
          fmt::format("the offset {}, no multiple of the alignment {}", tensor.offset, alignment));
    }
    std::uint64_t end = 0;
    if (__builtin_add_overflow(tensor.offset, start, &tensor.offset) ||
        __builtin_add_overflow(tensor.offset, tensor.size_bytes, &end) ||
        end > file_.size_bytes()) {
      cursor.refuse(fmt::format("{} bytes at byte {}, outside of the file: at least {} bytes "
                                "expected, {} found",
                                tensor.size_bytes, tensor.offset, end, file_.size_bytes()),
                    file_.size_bytes());
    }
  }
}

void GgufFile::check_overlap(GgufCursor& cursor) const {
  std::vector<const GgufTensor*> sorted;
  for (const GgufTensor& tensor : tensors_) {
    if (tensor.size_bytes > 0) sorted.push_back(&tensor);
  }
  std::sort(sorted.begin(), sorted.end(), [](const GgufTensor* left, const GgufTensor* right) {
    return left->offset < right->offset;
  });
  for (std::size_t at = 1; at < sorted.size(); ++at) {
    const GgufTensor& before = *sorted[at - 1];
    if (before.offset + before.size_bytes <= sorted[at]->offset) continue;
    cursor.set_subject(fmt::format("tensor '{}'", printable(sorted[at]->name)));
    cursor.refuse(fmt::format("its bytes overlap those of tensor '{}'", printable(before.name)),
                  static_cast<std::size_t>(sorted[at]->offset));
  }
}

const GgufTensor* GgufFile::find_tensor(std::string_view name) const {
  const auto found = tensor_index_.find(name);
  return found == tensor_index_.end() ? nullptr : &tensors_[found->second];
}

std::span<const std::byte> GgufFile::bytes(const GgufTensor& tensor) const {
  return file_.bytes().subspan(tensor.offset, tensor.size_bytes);
}

}  // namespace hone::formats
