// hone train as one rank of several.
#pragma once

#include "cli/command.h"
#include "parallel/ranks/membership.h"

namespace hone::cli {

// The exit status, as of a command; an error has been said when this returns.
int train_as_rank(const parallel::Membership& member, const Invocation& invocation,
                  Terminal& terminal);

}  // namespace hone::cli
