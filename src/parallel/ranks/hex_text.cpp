#include "parallel/ranks/hex_text.h"

namespace hone::parallel {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

int value_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

}  // namespace

std::string to_hex(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    hex += kDigits[value >> 4];
    hex += kDigits[value & 15];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  if (hex.size() % 2 != 0) return bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = value_of(hex[i]);
    const int low = value_of(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes += static_cast<char>(16 * high + low);
  }
  return bytes;
}

}  // namespace hone::parallel
