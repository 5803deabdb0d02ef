// hone train: from a configuration to a tuned model, or to the numbers of one.
#include "assemble/evaluation_run.h"
#include "assemble/machine_plan.h"
#include "assemble/planned_run.h"
#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/data_cache.h"
#include "cli/hub_access.h"
#include "cli/launch_environment.h"
#include "cli/rank_launcher.h"
#include "cli/rank_run.h"
#include "cli/show_and_run.h"
#include "cli/stop_signal.h"

namespace hone::cli {
namespace {

// GPUs are counted among those that are left.
void say_gpu_filters(const config::Settings& settings, Terminal& terminal) {
  const std::string filters = settings.machine.device == "cpu" ? std::string() : gpu_filters();
  if (!filters.empty()) terminal.info("GPUs that may be seen: " + filters);
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

int plan_devices(const config::ReadResult& read, Terminal& terminal) {
  const assemble::MachinePlan plan(read);
  for (const std::string& line : plan.summary()) terminal.info(line);
  terminal.write(plan.memory_table());
  terminal.write("ways to share out the model, bytes of one rank:\n" + plan.ways_table());
  return plan.asked().fits ? 0 : 1;
}

}  // namespace

int run_train(const Invocation& invocation, Terminal& terminal) {
  const parallel::Environment variables = whole_environment();
  if (const std::optional<parallel::LaunchPlan> plan = parallel::plan_launch(variables)) {
    return launch_ranks(*plan, variables, "train", invocation, terminal);
  }
  const parallel::Membership member = parallel::recognise_membership(variables);
  if (member.ranks > 1) return train_as_rank(member, invocation, terminal);
  config::ReadResult read = read_configuration(config::Command::train, invocation, terminal);
  fetch_for_training(read, invocation, terminal);
  say_gpu_filters(read.settings, terminal);
  const std::unique_ptr<report::Listener> progress =
      terminal.progress(!read.settings.training.disable_tqdm.value_or(false));
  const bool trains = read.settings.training.do_train;
  const StopSignal stop(trains ? "stopping after this step and saving"
                               : "stopping after these records");
  const assemble::RunEnvironment environment = {terminal, *progress,
                                                [&stop] { return stop.requested(); },
                                                data_cache_folder(invocation.home)};
  if (trains) return train(read, environment, terminal);
  assemble::EvaluationRun run(read, environment);
  return show_and_run(run, terminal);
}

int run_plan(const Invocation& invocation, Terminal& terminal) {
  config::ReadResult read = read_configuration(config::Command::plan, invocation, terminal);
  if (read.settings.planning.devices) {
    fetch_from_hub(read, invocation, {.weights = false, .data = false}, terminal);
    return plan_devices(read, terminal);
  }
  fetch_from_hub(read, invocation, {.weights = !read.settings.training.do_train}, terminal);
  say_gpu_filters(read.settings, terminal);
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
