// A configuration file as a list of assignments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/reading/written.h"

namespace hone::config {

// Whether a word names a configuration file: it ends in .yaml, .yml or .json.
bool names_config_file(std::string_view word);

// Adds the file's assignments in their order, and its faults. False when the file could not be
// read to its end, so that what is missing may stand in it.
bool read_config_file(const std::string& file, std::vector<Assignment>& assignments,
                      FaultList& faults);

// The same for a value on the command line that YAML must read: a list, a map, or in quotes.
Written read_inline_value(const std::string& text);

}  // namespace hone::config
