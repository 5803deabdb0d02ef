// The listeners that a training has beside the console: trainer_log.jsonl, report.html, and
// TensorBoard's files where report_to asks for them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "config/reading/read_settings.h"
#include "formats/file_system.h"
#include "formats/value.h"
#include "report/run_page.h"
#include "report/tensorboard_log.h"
#include "report/trainer_log.h"

namespace hone::assemble {

struct RunReportsOptions {
  std::filesystem::path output_dir;  // absolute
  bool resumed = false;
  bool report_tokens = false;             // include_num_input_tokens_seen
  const formats::Value* model = nullptr;  // config.json
  std::vector<std::string> summary = {};  // of the plan: "name: text" lines
};

class RunReports {
 public:
  // `system` and `log` outlive this.
  RunReports(const config::ReadResult& read, const RunReportsOptions& options,
             formats::FileSystem& system, LogSink& log);

  void add_to(report::ListenerList& listeners);

  // Where the figures lie, for the end of the output.
  std::vector<std::string> lines() const;

 private:
  report::TrainerLog trainer_log_;
  report::RunPage page_;
  std::optional<report::TensorBoardLog> tensorboard_;
};

// TensorBoard's files alone, for an evaluation without training; nothing where report_to does not
// ask for them. `output_dir` is absolute.
std::optional<report::TensorBoardOptions> tensorboard_options(const config::ReadResult& read,
                                                              const RunReportsOptions& options);

}  // namespace hone::assemble
