// Settings that do not go together, and settings that are missing. What needs files, devices or the
// list of templates is checked where these are at hand.
#pragma once

#include <set>
#include <string>

#include "config/reading/read_settings.h"

namespace hone::config {

struct CheckContext {
  Command command;
  const ReadResult& result;             // before complete()
  const std::set<std::string>& faulty;  // settings with a fault already: nothing follows from them
  FaultList& faults;
};

void check_combinations(const CheckContext& context);

}  // namespace hone::config
