#include "hub/digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <vector>

#include "base/error.h"
#include "formats/regular_file.h"

namespace hone::hub {
namespace {

constexpr std::size_t kSha256Digits = 64;
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

struct Free {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

class Digest {
 public:
  explicit Digest(const EVP_MD* kind) : context_(EVP_MD_CTX_new()) {
    HONE_ASSERT(context_ != nullptr && EVP_DigestInit_ex(context_.get(), kind, nullptr) == 1);
  }

  void add(std::string_view bytes) {
    HONE_ASSERT(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }

  std::string text() {
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    HONE_ASSERT(EVP_DigestFinal_ex(context_.get(), value, &size) == 1);
    std::string digits;
    for (unsigned i = 0; i < size; ++i) digits += fmt::format("{:02x}", value[i]);
    return digits;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

std::string git_header(std::uintmax_t size) {
  return fmt::format("blob {}", size) + '\0';
}

std::string of_file(Digest& digest, const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::vector<char> block(kBlockBytes);
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    digest.add({block.data(), static_cast<std::size_t>(stream.gcount())});
  }
  if (!stream.eof()) throw UserError(formats::system_fault("read", file, errno));
  return digest.text();
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Digest digest(EVP_sha256());
  digest.add(bytes);
  return digest.text();
}

std::string git_blob_name(std::string_view bytes) {
  Digest digest(EVP_sha1());
  digest.add(git_header(bytes.size()));
  digest.add(bytes);
  return digest.text();
}

std::string digest_of_file(const std::filesystem::path& file, std::size_t digits) {
  if (digits == kSha256Digits) {
    Digest digest(EVP_sha256());
    return of_file(digest, file);
  }
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) throw UserError(formats::system_fault("read", file, error.value()));
  Digest digest(EVP_sha1());
  digest.add(git_header(size));
  return of_file(digest, file);
}

}  // namespace hone::hub
