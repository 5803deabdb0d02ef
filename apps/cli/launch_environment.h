// What the environment says of a run: the variables by which LLaMA-Factory, torchrun and others
// start and tell ranks, and those by which ROCm hides GPUs.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "parallel/ranks/environment_reader.h"

namespace hone::cli {

// A variable's value; nothing when it is not set or empty.
std::optional<std::string> environment(const char* name);

// true, y, 1 in any case, as LLaMA-Factory reads switches.
bool environment_switch(const char* name);

// All variables.
parallel::Environment whole_environment();

// Seconds that a variable holds, or `otherwise`. Throws UserError for anything but a number above
// 0.
std::chrono::milliseconds environment_seconds(const char* name,
                                              std::chrono::milliseconds otherwise);

// The variables that hide GPUs, in the order in which ROCm applies them; empty when none is set.
// "ROCR_VISIBLE_DEVICES=0,1, and of those HIP_VISIBLE_DEVICES=1"
std::string gpu_filters();

}  // namespace hone::cli
