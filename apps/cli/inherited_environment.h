// The environment variables that LLaMA-Factory's users set and that are neither about ranks
// (launch_environment.h) nor about hubs: back ends, how much is said, what is recorded.
#pragma once

#include "cli/terminal.h"

namespace hone::cli {

// LLAMAFACTORY_VERBOSITY as the least severe lines that are shown: DEBUG and INFO all of them,
// WARNING no plain notes, ERROR and CRITICAL no warnings either. UserError for another word.
void obey_verbosity(Terminal& terminal);

// Variables that ask for another program to compute (USE_RAY, USE_MCA, ...) are refused in words
// (UserError), all of them together. What has no effect here is said.
void heed_inherited_environment(Terminal& terminal);

}  // namespace hone::cli
