// The environment variables by which LLaMA-Factory and torchrun start several ranks.
#pragma once

#include <optional>
#include <string>

namespace hone::cli {

// A variable's value; nothing when it is not set or empty.
std::optional<std::string> environment(const char* name);

// true, y, 1 in any case, as LLaMA-Factory reads switches.
bool environment_switch(const char* name);

// FORCE_TORCHRUN is at home on one rank; more than one is refused in words (UserError), all such
// variables together.
void refuse_several_ranks();

}  // namespace hone::cli
