// Reading a command's settings and saying what was understood.
#pragma once

#include "cli/command.h"
#include "config/reading/read_settings.h"

namespace hone::cli {

// Reads the words of a command, of a run on so many ranks; notices and the effective settings are
// shown. Throws UserError.
config::ReadResult read_configuration(config::Command command, const Invocation& invocation,
                                      Terminal& terminal, int ranks = 1);

}  // namespace hone::cli
