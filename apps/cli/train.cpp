// hone train: from a configuration to a tuned model, or to the numbers of one.
#include "assemble/evaluation_run.h"
#include "assemble/training_run.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/data_cache.h"
#include "cli/hub_access.h"
#include "cli/launch_environment.h"
#include "cli/stop_signal.h"
#include "doctor/loss_rule.h"
#include "report/events.h"

namespace hone::cli {
namespace {

constexpr int kInterruptedStatus = 130;  // as a shell reports a process ended by SIGINT

// Whether this run logged losses: only then is the log in its folder about it.
class LogWatch final : public report::Listener {
 public:
  void logged(const report::Logged& event) override {
    logged_ = logged_ || event.kind == report::Logged::Kind::train;
  }
  bool seen() const { return logged_; }

 private:
  bool logged_ = false;
};

template <class Planned>
void show_plan(const Planned& planned, Terminal& terminal) {
  for (const std::string& line : planned.summary()) terminal.info(line);
  terminal.write(planned.memory_table());
}

// Run is a TrainingRun or an EvaluationRun.
template <class Run>
int show_and_run(Run& run, Terminal& terminal) {
  show_plan(run.planned(), terminal);
  for (const std::string& line : run.planned().data->preview) terminal.info(line);
  const assemble::RunOutcome outcome = run.run();
  for (const std::string& line : outcome.lines) terminal.info(line);
  return outcome.interrupted ? kInterruptedStatus : 0;
}

class Silence final : public LogSink {
 public:
  void line(Severity, std::string_view) override {}
};

// Weights last, and only for a run that can be: what is wrong with settings and data, and a run
// that does not fit, is said before gigabytes have come.
void fetch_for_training(config::ReadResult& read, const Invocation& invocation,
                        Terminal& terminal) {
  const bool trains = read.settings.training.do_train;
  if (fetch_from_hub(read, invocation, {.weights = !trains}, terminal)) return;
  Silence log;
  const assemble::PlannedRun planned(
      read, {.weights_optional = true, .data_cache = data_cache_folder(invocation.home)}, log);
  planned.refuse_if_too_large();
  fetch_from_hub(read, invocation, {.data = false}, terminal);
}

}  // namespace

int run_train(const Invocation& invocation, Terminal& terminal) {
  refuse_several_ranks();
  config::ReadResult read = read_configuration(config::Command::train, invocation, terminal);
  fetch_for_training(read, invocation, terminal);
  const std::unique_ptr<report::Listener> progress =
      terminal.progress(!read.settings.training.disable_tqdm.value_or(false));
  const bool trains = read.settings.training.do_train;
  const StopSignal stop(trains ? "stopping after this step and saving"
                               : "stopping after these records");
  const auto stop_requested = [&stop] { return stop.requested(); };
  const std::filesystem::path cache = data_cache_folder(invocation.home);
  if (trains) {
    LogWatch watch;
    report::ListenerList listeners;
    listeners.add(*progress);
    listeners.add(watch);
    assemble::TrainingRun run(read, {terminal, listeners, stop_requested, cache});
    const int status = show_and_run(run, terminal);
    const std::string remark =
        watch.seen() ? doctor::loss_remark(read.settings.training.output_dir) : std::string();
    if (!remark.empty()) terminal.warning(remark);
    return status;
  }
  const assemble::RunEnvironment environment = {terminal, *progress, stop_requested, cache};
  assemble::EvaluationRun run(read, environment);
  return show_and_run(run, terminal);
}

int run_plan(const Invocation& invocation, Terminal& terminal) {
  config::ReadResult read = read_configuration(config::Command::plan, invocation, terminal);
  fetch_from_hub(read, invocation, {.weights = !read.settings.training.do_train}, terminal);
  if (!read.settings.training.do_train) {
    const assemble::PlannedEvaluation planned(read, data_cache_folder(invocation.home), terminal);
    show_plan(planned, terminal);
    return planned.fits() ? 0 : 1;
  }
  const assemble::PlannedRun planned(
      read, {.weights_optional = true, .data_cache = data_cache_folder(invocation.home)}, terminal);
  show_plan(planned, terminal);
  return planned.plan->fits() ? 0 : 1;
}

}  // namespace hone::cli
