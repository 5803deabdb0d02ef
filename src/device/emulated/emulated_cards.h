// The cards that are emulated: their wave widths and limits, with small blocks.
#pragma once

#include <vector>

#include "device/interface/card.h"

namespace hone {

// gfx90a and gfx942 (waves of 64), gfx1100 and gfx1201 (waves of 32), and gfx1030, which has no
// matrix unit. Blocks have two waves, three on gfx1030: enough for every race between waves, few
// enough to run fast.
const std::vector<Card>& emulated_cards();

}  // namespace hone
