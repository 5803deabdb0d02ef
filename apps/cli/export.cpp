// hone export: a model with its adapters merged in, as a folder that everybody reads.
#include <memory>
#include <vector>

#include "assemble/model_export.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/hub_access.h"

namespace hone::cli {

int run_export(const Invocation& invocation, Terminal& terminal) {
  config::ReadResult read = read_configuration(config::Command::export_model, invocation, terminal);
  fetch_from_hub(read, invocation, {.data = false}, terminal);
  for (const std::string& line : assemble::export_merged_model(read.settings, terminal)) {
    terminal.info(line);
  }
  return 0;
}

}  // namespace hone::cli
