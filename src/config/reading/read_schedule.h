// Reads lr_scheduler_kwargs, and checks it against the schedule that it belongs to.
#pragma once

#include <set>
#include <string>

#include "config/reading/read_settings.h"

namespace hone::config {

// Fills in TrainingSettings::schedule from lr_scheduler_kwargs as it was written. Adds every fault:
// settings that the schedule does not have, values out of range, and those that must be there.
// `faulty`: settings with a fault already; nothing is compared to them.
void read_schedule(ReadResult& result, const std::set<std::string>& faulty, FaultList& faults);

}  // namespace hone::config
