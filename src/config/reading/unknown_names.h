// What to say about keys that a command does not take.
#pragma once

#include <string>

#include "base/error.h"
#include "config/reading/written.h"
#include "config/settings/declaration.h"

namespace hone::config {

// "learning_rte (base.yaml, line 5)": without the value, which may be a secret.
std::string describe_place(const Assignment& assignment);

// No setting has this name: the settings that begin so, or the nearest one.
Fault unknown_name(const Assignment& assignment, Command command);

// A setting of other commands.
Fault foreign_name(const Assignment& assignment, const Declaration& declaration, Command command);

}  // namespace hone::config
