#include "report/run_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "formats/file_writer.h"
#include "formats/whole_file.h"
#include "report/units.h"

namespace hone::report {
namespace {

// More than any page that was not made by mistake.
constexpr std::size_t kLargestPage = std::size_t{64} << 20;

std::string state_text(const std::string& word, std::int64_t step, std::int64_t total) {
  return fmt::format("{} {} of {} steps", word, count_text(step), count_text(total));
}

}  // namespace

RunPage::RunPage(RunPageOptions options, formats::FileSystem& files, LogSink& log)
    : options_(std::move(options)), files_(files), log_(log) {}

void RunPage::run_started(const RunStarted& event) {
  total_steps_ = event.total_steps;
  std::error_code error;
  if (!options_.resume || !std::filesystem::exists(options_.file, error)) return;
  try {
    series_.restore(series_in(formats::read_whole_file(options_.file, kLargestPage)),
                    event.first_step);
  } catch (const UserError&) {
    // What cannot be read is replaced; the run's figures begin here.
  }
}

void RunPage::step_finished(const StepFinished& event) {
  total_steps_ = event.total_steps;
  series_.add(event, options_.memory_bytes ? options_.memory_bytes() : 0);
}

void RunPage::logged(const Logged& event) {
  if (event.kind != Logged::Kind::evaluation) return;
  const Measured loss = find_measured(event.entry.metrics, "eval_loss");
  series_.add(EvaluationPoint{event.entry.step,
                              is_number(loss) ? std::optional(to_number(loss)) : std::nullopt});
  if (!finished_) return;
  for (const Metric& metric : event.entry.metrics) options_.content.metrics.push_back(metric);
  write();
}

void RunPage::checkpoint_saved(const CheckpointSaved& event) {
  options_.content.state = state_text("running, written after", event.step, total_steps_);
  write();
}

void RunPage::run_finished(const RunFinished& event) {
  finished_ = !event.interrupted;
  options_.content.state =
      state_text(event.interrupted ? "stopped after" : "finished,", event.step, total_steps_);
  options_.content.metrics = event.interrupted ? Metrics() : event.metrics;
  write();
}

void RunPage::write() {
  if (failed_) return;
  try {
    formats::write_whole_file(files_, options_.file, page_text(options_.content, series_));
    written_ = true;
  } catch (const UserError& error) {
    log_.warning(fmt::format("{}: cannot be written ({}). The run goes on without it.",
                             options_.file, error.faults().front().found));
    failed_ = true;
  }
}

}  // namespace hone::report
