// Values that follow from other settings.
#pragma once

#include "config/reading/read_settings.h"

namespace hone::config {

// Fills in what settings.h marks as completed, with origins and notices of what was derived, and
// notices of settings that were given and have no say. After check_combinations.
void complete(Command command, ReadResult& result);

}  // namespace hone::config
