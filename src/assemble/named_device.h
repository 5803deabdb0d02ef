// The devices that a plan names: how many, and how much memory each has.
#pragma once

#include <cstddef>
#include <string>

#include "config/reading/read_settings.h"

namespace hone::assemble {

struct NamedDevice {
  int machines = 1;
  int per_machine = 1;
  std::string name;              // "MI300X (gfx942)"
  std::size_t memory_bytes = 0;  // of one
  std::size_t reserved_bytes = 0;
  bool cpu = false;  // ranks on this machine's processor

  int ranks() const { return machines * per_machine; }
  std::size_t usable_bytes() const {
    return memory_bytes - (memory_bytes < reserved_bytes ? memory_bytes : reserved_bytes);
  }
};

// What the setting `devices` says. Throws UserError for cards that are not known, with those that
// are near, and for targets whose cards differ in memory.
NamedDevice named_device(const config::ReadResult& read);

}  // namespace hone::assemble
