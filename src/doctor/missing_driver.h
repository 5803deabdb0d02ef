// Why a machine with an AMD card has no /dev/kfd.
#pragma once

#include "doctor/check.h"

namespace hone::doctor {

// There is a card, and no device.
Finding why_no_compute_device(const System& system);

// Why the driver left out a card that is on the bus, as far as the kernel's log says.
Finding why_no_node(const System& system, const PciGpu& card);

}  // namespace hone::doctor
