#include "config/settings/machine.h"

#include <algorithm>

namespace hone::config {

std::optional<DeviceWish> parse_device(const std::string& text) {
  if (text == "auto") return DeviceWish{DeviceChoice::automatic, 0};
  if (text == "cpu") return DeviceWish{DeviceChoice::cpu, 0};
  if (text == "gpu") return DeviceWish{DeviceChoice::gpu, 0};
  if (!text.starts_with("gpu:")) return std::nullopt;
  const std::string number = text.substr(4);
  const bool digits =
      std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (number.empty() || number.size() > 3 || !digits) return std::nullopt;
  return DeviceWish{DeviceChoice::gpu, std::stoi(number)};
}

}  // namespace hone::config
