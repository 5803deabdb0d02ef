// Slips that YAML cannot point at by itself, found line by line before it is parsed.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace hone::config {

// Adds a fault for every tab before a setting, missing blank after its colon, and equals sign in
// place of the colon; returns the text with these mended and its lines where they were, so that
// what is wrong elsewhere is found in the same go. `name` stands for the file in faults.
std::string mend_yaml_slips(std::string_view text, const std::string& name, FaultList& faults);

}  // namespace hone::config
