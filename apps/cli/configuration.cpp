#include "cli/configuration.h"

#include "config/effective.h"

namespace hone::cli {

config::ReadResult read_configuration(config::Command command, const Invocation& invocation,
                                      Terminal& terminal, int ranks) {
  config::ReadResult read = config::read_settings(
      {command, invocation.words, invocation.home, invocation.allow_unknown, ranks});
  for (const config::Notice& notice : read.notices) terminal.line(notice.severity, notice.text);
  const std::string settings = config::to_text(config::effective_settings(read));
  if (!settings.empty()) terminal.write("settings:\n" + settings);
  return read;
}

}  // namespace hone::cli
