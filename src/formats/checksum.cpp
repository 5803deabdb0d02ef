#include "formats/checksum.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "formats/regular_file.h"

namespace hone::formats {
namespace {

// The constants of the algorithm (xxhash_spec.md of its reference implementation, XXH64).
constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

// Large enough that the calls do not count.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

template <class Word>
std::uint64_t little_endian(const std::byte* bytes) {
  static_assert(std::endian::native == std::endian::little);
  Word word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t round_of(std::uint64_t lane, std::uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

std::uint64_t merged(std::uint64_t sum, std::uint64_t lane) {
  return (sum ^ round_of(0, lane)) * kPrime1 + kPrime4;
}

}  // namespace

void Checksum::stripe(const std::byte* bytes) {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    lanes_[lane] = round_of(lanes_[lane], little_endian<std::uint64_t>(bytes + 8 * lane));
  }
}

void Checksum::add(std::span<const std::byte> bytes) {
  size_bytes_ += bytes.size();
  if (rest_bytes_ > 0) {
    const std::size_t taken = std::min(bytes.size(), rest_.size() - rest_bytes_);
    std::copy_n(bytes.begin(), taken, rest_.begin() + static_cast<std::ptrdiff_t>(rest_bytes_));
    rest_bytes_ += taken;
    bytes = bytes.subspan(taken);
    if (rest_bytes_ < rest_.size()) return;
    stripe(rest_.data());
    rest_bytes_ = 0;
  }
  for (; bytes.size() >= rest_.size(); bytes = bytes.subspan(rest_.size())) stripe(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
  rest_bytes_ = bytes.size();
}

void Checksum::add(std::string_view text) {
  add(std::as_bytes(std::span(text)));
}

void Checksum::add(std::int64_t value) {
  add(std::as_bytes(std::span(&value, 1)));
}

std::uint64_t Checksum::value() const {
  std::uint64_t sum = kPrime5;
  if (size_bytes_ >= rest_.size()) {
    sum = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
          std::rotl(lanes_[3], 18);
    for (const std::uint64_t lane : lanes_) sum = merged(sum, lane);
  }
  sum += size_bytes_;
  const std::byte* at = rest_.data();
  const std::byte* const end = at + rest_bytes_;
  for (; end - at >= 8; at += 8) {
    sum = std::rotl(sum ^ round_of(0, little_endian<std::uint64_t>(at)), 27) * kPrime1 + kPrime4;
  }
  for (; end - at >= 4; at += 4) {
    sum = std::rotl(sum ^ little_endian<std::uint32_t>(at) * kPrime1, 23) * kPrime2 + kPrime3;
  }
  for (; at < end; ++at) {
    sum = std::rotl(sum ^ std::to_integer<std::uint64_t>(*at) * kPrime5, 11) * kPrime1;
  }
  sum = (sum ^ sum >> 33) * kPrime2;
  sum = (sum ^ sum >> 29) * kPrime3;
  return sum ^ sum >> 32;
}

std::string Checksum::text() const {
  return fmt::format("{:016x}", value());
}

// Read, not mapped: the pages of a large file would count as this program's memory.
Checksum checksum_of_file(const std::filesystem::path& file) {
  const formats::RegularFile opened = formats::open_regular_file(file);
  std::vector<std::byte> block(kBlockBytes);
  Checksum checksum;
  while (true) {
    const ssize_t length = ::read(opened.descriptor.get(), block.data(), block.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) throw UserError(formats::system_fault("read", file, errno));
    if (length == 0) return checksum;
    checksum.add(std::span(block).first(static_cast<std::size_t>(length)));
  }
}

}  // namespace hone::formats
