// The words after a command as a configuration file and a list of assignments.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/reading/written.h"

namespace hone::config {

struct CommandLine {
  std::string config_file;  // empty: none was given
  std::vector<Assignment> assignments;
};

// Words that are neither file, nor setting, nor value are faults; names are not looked up, but for
// which switches take no value.
CommandLine read_command_line(const std::vector<std::string>& words, FaultList& faults);

}  // namespace hone::config
