// hone export: a model with its adapters merged in, as a folder that everybody reads.
#include <memory>
#include <vector>

#include "assemble/model_export.h"
#include "cli/command.h"
#include "cli/configuration.h"

namespace hone::cli {

int run_export(const Invocation& invocation, Terminal& terminal) {
  const config::ReadResult read =
      read_configuration(config::Command::export_model, invocation, terminal);
  for (const std::string& line : assemble::export_merged_model(read.settings, terminal)) {
    terminal.info(line);
  }
  return 0;
}

}  // namespace hone::cli
