#include "formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/nearest_name.h"
#include "formats/foreign_content.h"
#include "formats/text_encoding.h"

namespace hone::formats {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr const char* kRemedy = "download or copy the file again";

std::uint64_t little_endian_u64(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  for (std::size_t index = 8; index-- > 0;) {
    value = value << 8 | std::to_integer<std::uint64_t>(bytes[index]);
  }
  return value;
}

// Length of the header, proved to lie inside the file.
std::size_t header_length(const MappedFile& file, const std::string& name) {
  const std::string asked = "safetensors: " + name;
  const std::optional<ForeignContent> foreign = foreign_content(file.text().substr(0, 256));
  if (foreign) {
    throw UserError(
        {asked,
         fmt::format("{} ({} bytes), not a safetensors file", foreign->what, file.size_bytes()),
         foreign->remedy});
  }
  if (file.size_bytes() < kLengthBytes) {
    throw UserError({asked,
                     fmt::format("{} bytes; the length of the header alone takes {}",
                                 file.size_bytes(), kLengthBytes),
                     kRemedy});
  }
  const std::uint64_t length = little_endian_u64(file.bytes());
  if (length > kMaxSafetensorsHeaderBytes) {
    throw UserError({asked,
                     fmt::format("a header of {} bytes (at most {} are allowed): this is not a "
                                 "safetensors file",
                                 length, kMaxSafetensorsHeaderBytes),
                     kRemedy});
  }
  if (length > file.size_bytes() - kLengthBytes) {
    throw UserError({asked,
                     fmt::format("the file is cut short inside its header: at least {} bytes "
                                 "expected, {} found",
                                 kLengthBytes + length, file.size_bytes()),
                     kRemedy});
  }
  return static_cast<std::size_t>(length);
}

Shape to_shape(const std::vector<std::int64_t>& extents) {
  switch (extents.size()) {
    case 0:
      return {};
    case 1:
      return {extents[0]};
    case 2:
      return {extents[0], extents[1]};
    case 3:
      return {extents[0], extents[1], extents[2]};
    default:
      return {extents[0], extents[1], extents[2], extents[3]};
  }
}

}  // namespace

SafetensorsFile::SafetensorsFile(const std::filesystem::path& file)
    : file_(file), shown_name_(shown_path(file)) {
  const std::size_t length = header_length(file_, shown_name_);
  data_start_ = kLengthBytes + length;
  header_ = read_safetensors_header(file_.text().substr(kLengthBytes, length),
                                    file_.size_bytes() - data_start_, shown_name_);
  index_.reserve(header_.tensors.size());
  for (std::size_t at = 0; at < header_.tensors.size(); ++at) {
    index_.emplace(header_.tensors[at].name, at);
  }
}

const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &header_.tensors[found->second];
}

std::span<const std::byte> SafetensorsFile::bytes(const SafetensorsEntry& tensor) const {
  return file_.bytes().subspan(data_start_ + tensor.begin, tensor.size_bytes());
}

ConstTensorView SafetensorsFile::view(std::string_view name) const {
  const std::string asked = fmt::format("tensor '{}' of {}", printable(name), shown_name_);
  const SafetensorsEntry* tensor = find(name);
  if (tensor == nullptr) {
    std::vector<std::string> names;
    for (const SafetensorsEntry& each : header_.tensors) names.push_back(each.name);
    throw UserError({asked, "no such tensor" + did_you_mean(name, names),
                     "check that the file belongs to this model"});
  }
  if (!tensor->type->dtype) {
    throw UserError({asked, fmt::format("dtype {}, which hone does not read", tensor->type->name),
                     "convert the model to BF16, F16 or F32"});
  }
  if (tensor->shape.size() > static_cast<std::size_t>(Shape::kMaxRank)) {
    throw UserError(
        {asked,
         fmt::format("shape {}, more than {} extents", tensor->shape_text(), Shape::kMaxRank),
         "check that the file belongs to this model"});
  }
  const DType dtype = *tensor->type->dtype;
  return ConstTensorView(aligned(*tensor, size_bytes(dtype)), dtype, to_shape(tensor->shape));
}

const void* SafetensorsFile::aligned(const SafetensorsEntry& tensor, std::size_t alignment) const {
  const std::span<const std::byte> source = bytes(tensor);
  if (reinterpret_cast<std::uintptr_t>(source.data()) % alignment == 0) return source.data();
  std::unique_ptr<std::byte[]>& copy = copies_[tensor.begin];
  if (copy == nullptr) {
    copy = std::make_unique<std::byte[]>(std::max<std::size_t>(source.size(), 1));
    if (!source.empty()) std::memcpy(copy.get(), source.data(), source.size());
  }
  return copy.get();
}

}  // namespace hone::formats
