#include "cli/launch_environment.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.h"

namespace hone::cli {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

bool environment_switch(const char* name) {
  std::string value = environment(name).value_or("");
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return value == "true" || value == "y" || value == "1";
}

void refuse_several_ranks() {
  FaultList faults;
  for (const char* name : {"NPROC_PER_NODE", "NNODES", "WORLD_SIZE", "MIN_NNODES"}) {
    const std::optional<std::string> value = environment(name);
    if (!value || *value == "1") continue;
    faults.add({std::string(name) + "=" + *value,
                "a run on several ranks, which hone does not have yet",
                "unset it, or set it to 1: training then uses every core of this machine"});
  }
  faults.throw_if_any();
}

}  // namespace hone::cli
