// What a plan must count beside the rows of its components, and what it is held against.
#pragma once

#include <cstddef>

#include "config/settings/settings.h"
#include "device/interface/device.h"

namespace hone::assemble {

// The program as it stands before the weights are touched, and what libraries will still take.
std::size_t program_bytes();

// What the run may take in all, the program included: memory_limit, or what the machine has free
// and what the program holds already.
std::size_t usable_bytes(const config::Settings& settings, const Device& device);

// Who says so, for people: "memory_limit" or "memory of this machine".
const char* limit_source(const config::Settings& settings);

}  // namespace hone::assemble
