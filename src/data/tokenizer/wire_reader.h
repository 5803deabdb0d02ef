// The fields of a protobuf message, one after the other.
//
// Format (protobuf's encoding guide): each field is a tag (a varint: field number << 3 | wire type)
// and a value: a varint (7 bits per byte, the lowest first, high bit set on all but the last), 8
// bytes, a length and that many bytes, or 4 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hone::data {

class WireReader {
 public:
  // `name` is the file's, `offset` where `bytes` begins in it: for error texts.
  WireReader(std::string_view bytes, std::string_view name, std::size_t offset = 0)
      : bytes_(bytes), name_(name), offset_(offset) {}

  struct Field {
    std::uint64_t number = 0;
    unsigned type = 0;
    std::uint64_t value = 0;       // of a varint or of 4 or 8 bytes
    std::string_view bytes;        // of a length-delimited one
    std::size_t bytes_offset = 0;  // where they begin in the file
  };

  bool at_end() const { return at_ == bytes_.size(); }

  // The next field. UserError when the message is malformed or cut off.
  Field next();

  // The values of a field. UserError when it is of another wire type.
  std::int64_t integer(const Field& field) const;
  double float32(const Field& field) const;
  std::string_view text(const Field& field) const;
  WireReader message(const Field& field) const;

 private:
  [[noreturn]] void refuse(const std::string& found) const;
  void expect(const Field& field, unsigned type) const;
  std::uint64_t varint();
  std::uint64_t fixed(std::size_t size);

  std::string_view bytes_;
  std::string_view name_;
  std::size_t offset_;
  std::size_t at_ = 0;
};

}  // namespace hone::data
