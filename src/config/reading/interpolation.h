// ${...} in values, as OmegaConf has it: ${name} or ${.name} stands for another setting that is
// given, ${oc.env:NAME} and ${oc.env:NAME,default} for an environment variable, \${ for ${ itself.
// A value that is nothing else takes the other one whole, lists and null as well; within a text,
// plain values are put in. (LLaMA-Factory 0.9.5 reads its files with OmegaConf and leaves ${...} as
// it is.)
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/reading/written.h"

namespace hone::config {

// An environment variable's value; nothing where it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Replaces them in all values; of a setting that is given twice, the last is meant. Returns the
// names (as written) of the settings whose values could not be made out, each with its fault.
// Secrets go nowhere but into secrets.
std::set<std::string> interpolate(std::vector<Assignment>& assignments,
                                  const Environment& environment, FaultList& faults);

}  // namespace hone::config
