// The checksums by which a hub names its files: SHA-256 of large ones, and git's object name (SHA-1
// over "blob <size>\0" and the bytes) of small ones. Computed by OpenSSL's libcrypto.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hone::hub {

// Lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);
std::string git_blob_name(std::string_view bytes);

// The same of a file, which is read once: the first for a digest of 64 digits, else the second.
// Errors (UserError): the system's, with the file.
std::string digest_of_file(const std::filesystem::path& file, std::size_t digits);

}  // namespace hone::hub
