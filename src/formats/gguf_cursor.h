// Reads the parts of a GGUF header one after another, each proved to lie inside the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace hone::formats {

class GgufCursor {
 public:
  // `file_name` stands for the file in errors.
  GgufCursor(std::span<const std::byte> bytes, std::string file_name)
      : bytes_(bytes), file_name_(std::move(file_name)) {}

  // What the next reads are about, for errors: "metadata 'general.name'".
  void set_subject(std::string subject) { subject_ = std::move(subject); }

  std::size_t offset() const { return offset_; }
  std::size_t remaining() const { return bytes_.size() - offset_; }

  std::span<const std::byte> take(std::uint64_t count, std::string_view what);

  // A little-endian number.
  template <class T>
  T read(std::string_view what) {
    T value;
    std::memcpy(&value, take(sizeof(T), what).data(), sizeof(T));
    return value;
  }

  // u64 length, then that many bytes.
  std::string_view read_string(std::string_view what);

  // A number of things that each take at least `least_bytes`: refused when the file cannot hold
  // them.
  std::uint64_t read_count(std::string_view what, std::uint64_t least_bytes);

  // Throws UserError: "GGUF: m.gguf, metadata 'x'", "<found> (byte 123)".
  [[noreturn]] void refuse(const std::string& found, std::size_t at_byte) const;
  [[noreturn]] void refuse(const std::string& found) const { refuse(found, offset_); }

 private:
  std::span<const std::byte> bytes_;
  std::string file_name_;
  std::string subject_;
  std::size_t offset_ = 0;
};

}  // namespace hone::formats
