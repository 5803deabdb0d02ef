#include "cli/configuration.h"

#include "cli/inherited_environment.h"
#include "cli/launch_environment.h"
#include "config/effective.h"

namespace hone::cli {

config::ReadResult read_configuration(config::Command command, const Invocation& invocation,
                                      Terminal& terminal, int ranks) {
  obey_verbosity(terminal);
  heed_inherited_environment(terminal);
  config::ReadResult read = config::read_settings(
      {command, invocation.words, invocation.home, invocation.allow_unknown,
       [](const std::string& name) { return environment(name.c_str()); }, ranks});
  for (const config::Notice& notice : read.notices) terminal.line(notice.severity, notice.text);
  std::string settings = config::to_text(config::effective_settings(read));
  if (settings.empty()) return read;
  settings.pop_back();  // its line end
  terminal.info("settings:\n" + settings);
  return read;
}

}  // namespace hone::cli
