// hone version
#include "base/version.h"

#include "cli/command.h"

namespace hone::cli {

int run_version(const Invocation&, Terminal& terminal) {
  terminal.write("hone " + std::string(version()) + "\n");
  return 0;
}

}  // namespace hone::cli
