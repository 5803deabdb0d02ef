// A YAML tree as JSON has it, for settings that are maps.
#pragma once

#include "formats/value.h"
#include "formats/yaml.h"

namespace hone::config {

// Plain scalars become what YAML 1.2 and transformers' reader make of them: true and false, whole
// numbers, numbers such as 1e9, and text; quoted ones are text.
formats::Value yaml_value(const formats::YamlNode& node);

}  // namespace hone::config
