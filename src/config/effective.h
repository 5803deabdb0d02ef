// The effective configuration: what was read or derived, and from where.
#pragma once

#include <string>
#include <vector>

#include "config/reading/read_settings.h"

namespace hone::config {

struct EffectiveSetting {
  std::string name;
  std::string value;   // as it would be written in YAML
  std::string origin;  // "base.yaml, line 14", "command line, in place of 1e-4 (base.yaml, line 3)"
};

// Every setting that has an origin, in the order of the docs page; the others have their defaults.
std::vector<EffectiveSetting> effective_settings(const ReadResult& result);

// One line a setting, in columns; ends in a line end unless empty.
std::string to_text(const std::vector<EffectiveSetting>& settings);

}  // namespace hone::config
