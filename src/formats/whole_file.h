// Small files, read whole.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace hone::formats {

// The bytes of a plain file. Errors (UserError): see open_regular_file; a file larger than
// `limit_bytes`; one that got shorter while it was read.
std::string read_whole_file(const std::filesystem::path& file, std::size_t limit_bytes);

}  // namespace hone::formats
