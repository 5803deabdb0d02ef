// What HIP's return values mean, for people.
#pragma once

#include <string>
#include <string_view>

#include "device/gpu/hip.h"

namespace hone::hip {

// Throws UserError for any status but success: `asked` is what was tried ("memory: 12 bytes on
// AMD Instinct MI300X"), and of the errors that have a known cause the remedy is told.
void require(hipError_t status, const std::string& asked);

// "out of memory (hipErrorOutOfMemory, 2)"
std::string status_text(hipError_t status);

}  // namespace hone::hip
