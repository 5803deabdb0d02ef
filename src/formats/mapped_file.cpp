#include "formats/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace hone::formats {

MappedFile::MappedFile(const std::filesystem::path& file) {
  RegularFile opened = open_regular_file(file);
  path_ = std::move(opened.path);
  identity_ = opened.identity;
  size_bytes_ = static_cast<std::size_t>(identity_.size_bytes);
  if (size_bytes_ == 0) return;
  void* mapped = ::mmap(nullptr, size_bytes_, PROT_READ, MAP_PRIVATE, opened.descriptor.get(), 0);
  if (mapped == MAP_FAILED) throw UserError(system_fault("map", file, errno));
  data_ = static_cast<const std::byte*>(mapped);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)),
      path_(std::move(other.path_)),
      identity_(other.identity_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(path_, other.path_);
  std::swap(identity_, other.identity_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_bytes_);
}

void MappedFile::let_go(std::span<const std::byte> part) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const auto offset = static_cast<std::size_t>(part.data() - data_);
  const std::size_t end = offset + part.size();
  const std::size_t start = (offset + page - 1) / page * page;
  const std::size_t whole_end = end == size_bytes_ ? end : end / page * page;
  if (start >= whole_end) return;
  ::madvise(const_cast<std::byte*>(data_) + start, whole_end - start, MADV_DONTNEED);
}

}  // namespace hone::formats
