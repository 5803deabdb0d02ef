// The files with the numbers of a training or an evaluation, as LLaMA-Factory leaves them:
// <split>_results.json, and all_results.json, which holds the latest of every split.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/log_sink.h"
#include "formats/file_system.h"
#include "report/log_entry.h"

namespace hone::assemble {

// `split` is "train" or "eval"; `epoch` is absent where nothing was trained. Both files are
// replaced whole. Errors (UserError): the system's, with the file.
void write_results(formats::FileSystem& system, const std::filesystem::path& folder,
                   const std::string& split, const report::Metrics& metrics,
                   std::optional<double> epoch, LogSink& log);

}  // namespace hone::assemble
