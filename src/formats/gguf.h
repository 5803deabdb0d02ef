// Reading GGUF files, versions 2 and 3, little endian.
//
// Format: "GGUF"; u32 version; u64 number of tensors; u64 number of metadata entries; the entries
// (string key, u32 type, value); the tensors (string name, u32 rank up to 4, u64 extents innermost
// first, u32 element type, u64 offset); padding to general.alignment (32 where it is not given);
// the data, each tensor at its offset from here, a multiple of the alignment. A string is u64
// length and bytes; a list u32 item type, u64 length, items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/shape.h"
#include "formats/gguf_types.h"
#include "formats/gguf_value.h"
#include "formats/mapped_file.h"

namespace hone::formats {

struct GgufTensor {
  std::string_view name;
  const GgmlTypeInfo* type = nullptr;
  Shape shape;               // outermost first, as everywhere in hone
  std::uint64_t offset = 0;  // of its first byte, from the start of the file
  std::uint64_t size_bytes = 0;
};

class GgufFile {
 public:
  // Maps the file and checks all of its header; the data is not touched. Errors (UserError) name
  // the metadata key or tensor and the byte: no plain file; another format, version 1 or big
  // endian; cut short; counts, lengths, ranks, offsets that cannot be; a key or tensor twice;
  // tensors that overlap.
  explicit GgufFile(const std::filesystem::path& file);

  std::uint32_t version() const { return version_; }
  const MappedFile& file() const { return file_; }

  // In the order of the file.
  const std::vector<GgufTensor>& tensors() const { return tensors_; }
  const GgufTensor* find_tensor(std::string_view name) const;  // nullptr: there is none
  std::span<const std::byte> bytes(const GgufTensor& tensor) const;

  // Metadata. nullptr: there is none of that key.
  const GgufValue* find(std::string_view key) const;

  // The plain getters need the key: its absence or another kind is a UserError. The optional_ ones
  // give nothing when it is absent. integer() takes every whole kind, number() those and fractions.
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string_view string(std::string_view key) const;
  const std::vector<std::string_view>& strings(std::string_view key) const;
  std::vector<std::int64_t> integers(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;

  std::optional<std::int64_t> optional_integer(std::string_view key) const;
  std::optional<double> optional_number(std::string_view key) const;
  std::optional<bool> optional_boolean(std::string_view key) const;
  std::optional<std::string_view> optional_string(std::string_view key) const;

 private:
  void read_header(GgufCursor& cursor);
  void read_metadata(GgufCursor& cursor, std::uint64_t count);
  void read_tensor(GgufCursor& cursor);
  void place_tensors(GgufCursor& cursor);
  void check_overlap(GgufCursor& cursor) const;
  const GgufValue& required(std::string_view key, std::string_view wanted) const;
  const GgufArray& required_array(std::string_view key, std::string_view wanted) const;
  [[noreturn]] void refuse_kind(std::string_view key, std::string_view wanted) const;
  std::int64_t to_integer(std::string_view key, const GgufValue& value) const;
  double to_number(std::string_view key, const GgufValue& value) const;

  MappedFile file_;
  std::string shown_name_;
  std::uint32_t version_ = 0;
  std::unordered_map<std::string_view, GgufValue> metadata_;
  std::vector<GgufTensor> tensors_;
  std::unordered_map<std::string_view, std::size_t> tensor_index_;
};

}  // namespace hone::formats
