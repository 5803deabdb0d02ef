#include "formats/gguf_cursor.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hone::formats {

void GgufCursor::refuse(const std::string& found, std::size_t at_byte) const {
  throw UserError({fmt::format("GGUF: {}{}{}", file_name_, subject_.empty() ? "" : ", ", subject_),
                   fmt::format("{} (byte {})", found, at_byte), "download or copy the file again"});
}

std::span<const std::byte> GgufCursor::take(std::uint64_t count, std::string_view what) {
  if (count > remaining()) {
    refuse(fmt::format("the file is cut short: {} takes {} bytes, {} are left", what, count,
                       remaining()));
  }
  const std::span<const std::byte> taken = bytes_.subspan(offset_, static_cast<std::size_t>(count));
  offset_ += taken.size();
  return taken;
}

std::string_view GgufCursor::read_string(std::string_view what) {
  const std::uint64_t length = read<std::uint64_t>(what);
  const std::span<const std::byte> bytes = take(length, what);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t GgufCursor::read_count(std::string_view what, std::uint64_t least_bytes) {
  const std::size_t at = offset_;
  const std::uint64_t count = read<std::uint64_t>(what);
  if (count > remaining() / least_bytes) {
    refuse(fmt::format("{}: {}, more than the {} bytes left can hold", what, count, remaining()),
           at);
  }
  return count;
}

}  // namespace hone::formats
