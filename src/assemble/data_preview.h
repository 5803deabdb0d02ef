// `hone data`: records as the model will see them, without the model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "config/settings/settings.h"

namespace hone::assemble {

// Prepares the data of a configuration and gives lines for people: how much there is, then the
// first `count` records with text, ids, label ids and learned text. What was dropped or cut is said
// on `log`. UserError: what a run would refuse of model folder, template and data.
std::vector<std::string> preview_data(const config::Settings& settings, std::int64_t count,
                                      const std::filesystem::path& cache, LogSink& log);

}  // namespace hone::assemble
