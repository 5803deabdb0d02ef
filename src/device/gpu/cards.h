// Which cards a process sees, and what kernels must know of them.
#pragma once

#include <string>
#include <vector>

#include "device/gpu/hip.h"
#include "device/interface/card.h"

namespace hone::hip {

struct SeenCard {
  std::string name;  // "AMD Instinct MI300X"
  Card card;
  bool managed_memory = false;  // that CPU and card may both touch
};

// All of them, in HIP's order. Throws UserError, with HIP's own reason, when there is none.
std::vector<SeenCard> seen_cards();

// "gfx942" of "gfx942:sramecc+:xnack-".
std::string target_of(const std::string& architecture);

// The matrix instructions that the kernels use on a target.
MatrixUnit matrix_unit_of(const std::string& target);

}  // namespace hone::hip
