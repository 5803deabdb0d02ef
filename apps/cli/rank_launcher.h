// Ranks of this machine as child processes: started, told of signals, waited for, and started again
// where that was asked for.
#pragma once

#include "cli/command.h"
#include "parallel/ranks/launch_plan.h"

namespace hone::cli {

// Runs `program command words` once for each rank of this machine; returns when all have ended. The
// exit status: 0, 130 when a signal stopped all of them, 1 after the first failure of any was said.
// Ranks that do not end by themselves after another's failure are killed.
int launch_ranks(parallel::LaunchPlan plan, const parallel::Environment& environment,
                 const std::string& command, const Invocation& invocation, Terminal& terminal);

}  // namespace hone::cli
