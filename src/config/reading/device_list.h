// What `devices` of a plan says: "8xMI300X", "2x8xMI300X" (two machines), "4xgfx1100:24GiB",
// "8x80GiB", "7900XTX", "4xcpu".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hone::config {

struct DeviceList {
  int machines = 1;
  int per_machine = 1;
  std::string name;                          // "MI300X"; empty when only a size was given
  std::optional<std::int64_t> memory_bytes;  // of one device, where it was given

  int ranks() const { return machines * per_machine; }
  bool operator==(const DeviceList&) const = default;
};

// Nothing when it is not of this form, or when there would be more than 4,096 devices on a machine
// or machines.
std::optional<DeviceList> parse_device_list(const std::string& text);

}  // namespace hone::config
