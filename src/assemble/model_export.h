// `hone export`: a base model and its adapters, merged and written for everybody else's tools.
#pragma once

#include <string>
#include <vector>

#include "base/log_sink.h"
#include "config/settings/settings.h"

namespace hone::assemble {

// Writes export_dir; returns lines about what was written. Throws UserError.
std::vector<std::string> export_merged_model(const config::Settings& settings, LogSink& log);

}  // namespace hone::assemble
