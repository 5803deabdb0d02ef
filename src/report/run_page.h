// Keeps the figures of a run for report.html, and writes that page: at every checkpoint, so that a
// run that dies leaves one, and at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "formats/file_system.h"
#include "report/events.h"
#include "report/page_text.h"
#include "report/run_series.h"

namespace hone::report {

struct RunPageOptions {
  std::string file;                            // ".../report.html"
  bool resume = false;                         // go on with the figures that are in the file
  PageContent content;                         // without state and metrics
  std::function<std::int64_t()> memory_bytes;  // resident, of this process; asked after every step
};

// A page that cannot be written costs a warning, once, and not the run.
class RunPage : public Listener {
 public:
  // `files` and `log` outlive this.
  RunPage(RunPageOptions options, formats::FileSystem& files, LogSink& log);

  void run_started(const RunStarted& event) override;
  void step_finished(const StepFinished& event) override;
  // Also an evaluation after run_finished: the page is written again then.
  void logged(const Logged& event) override;
  void checkpoint_saved(const CheckpointSaved& event) override;
  void run_finished(const RunFinished& event) override;

  const std::string& file() const { return options_.file; }
  bool written() const { return written_; }

 private:
  void write();

  RunPageOptions options_;
  formats::FileSystem& files_;
  LogSink& log_;
  RunSeries series_;
  std::int64_t total_steps_ = 0;
  bool finished_ = false;
  bool written_ = false;
  bool failed_ = false;
};

}  // namespace hone::report
