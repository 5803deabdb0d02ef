#include "cli/inherited_environment.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/error.h"
#include "cli/launch_environment.h"

namespace hone::cli {
namespace {

struct Backend {
  const char* variable;
  const char* name;
};

constexpr Backend kBackends[] = {{"USE_RAY", "Ray"},
                                 {"USE_KT", "KTransformers"},
                                 {"USE_MCA", "Megatron-Core"},
                                 {"USE_MEGATRON_BRIDGE", "Megatron Bridge"},
                                 {"USE_V1", "LLaMA-Factory's experimental trainer"}};

std::string upper(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return word;
}

}  // namespace

void obey_verbosity(Terminal& terminal) {
  const char* variable = "LLAMAFACTORY_VERBOSITY";
  const std::string word = environment(variable).value_or("INFO");
  const std::string level = upper(word);
  if (level == "DEBUG" || level == "INFO" || level == "NOTSET") return;
  if (level == "WARNING" || level == "WARN") {
    terminal.show(Terminal::Shown::warnings);
  } else if (level == "ERROR" || level == "CRITICAL" || level == "FATAL") {
    terminal.show(Terminal::Shown::errors);
  } else {
    throw UserError({std::string(variable) + "=" + word, "no level of this name",
                     "set it to DEBUG, INFO, WARNING, ERROR or CRITICAL, or unset it"});
  }
}

void heed_inherited_environment(Terminal& terminal) {
  FaultList faults;
  for (const Backend& backend : kBackends) {
    if (!environment_switch(backend.variable)) continue;
    faults.add({std::string(backend.variable) + "=" + *environment(backend.variable),
                std::string(backend.name) + " is to train, which is not in hone",
                "unset it: hone trains by itself"});
  }
  faults.throw_if_any();
  if (environment_switch("RECORD_VRAM")) {
    terminal.info(
        "RECORD_VRAM has no effect: the memory of a run is planned, and shown before the first "
        "step");
  }
}

}  // namespace hone::cli
