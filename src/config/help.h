// Texts about settings, made from their declarations.
#pragma once

#include <string>

namespace hone::config {

// What `hone help SETTING` shows: state, meaning, default, limits, choices, other names. Dashes are
// as good as underscores. Throws UserError with the nearest name for one that is not declared.
std::string setting_help(const std::string& name);

// All settings by group: those that work with their meaning, the others by name.
std::string settings_overview();

// docs/settings.md.
std::string settings_page();

}  // namespace hone::config
