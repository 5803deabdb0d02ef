#include "formats/whole_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "formats/regular_file.h"

namespace hone::formats {

std::string read_whole_file(const std::filesystem::path& file, std::size_t limit_bytes) {
  const RegularFile opened = open_regular_file(file);
  const std::size_t size_bytes = static_cast<std::size_t>(opened.identity.size_bytes);
  if (size_bytes > limit_bytes) {
    throw UserError(
        {"read: " + shown_path(file),
         fmt::format("{} bytes, more than the {} allowed here", size_bytes, limit_bytes),
         "check that this is the file that was meant"});
  }
  std::string text(size_bytes, '\0');
  std::size_t done = 0;
  while (done < size_bytes) {
    const ssize_t got = ::read(opened.descriptor.get(), text.data() + done, size_bytes - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw UserError(system_fault("read", file, errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  if (done < size_bytes) {
    throw UserError({"read: " + shown_path(file),
                     fmt::format("the file ended after {} of {} bytes", done, size_bytes),
                     "wait until nothing writes to it any more"});
  }
  return text;
}

}  // namespace hone::formats
