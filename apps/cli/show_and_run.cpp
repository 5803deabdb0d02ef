#include "cli/show_and_run.h"

#include "assemble/training_run.h"
#include "doctor/loss_rule.h"
#include "report/events.h"

namespace hone::cli {
namespace {

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

}  // namespace

int train(const config::ReadResult& read, const assemble::RunEnvironment& environment,
          Terminal& terminal) {
  LogWatch watch;
  report::ListenerList listeners;
  listeners.add(environment.console);
  listeners.add(watch);
  assemble::RunEnvironment watched = {environment.log,
                                      listeners,
                                      environment.stop_requested,
                                      environment.data_cache,
                                      environment.open_machine,
                                      environment.ranks,
                                      environment.output_chosen,
                                      environment.first_attempt};
  assemble::TrainingRun run(read, watched);
  const int status = show_and_run(run, terminal);
  const bool speaks = environment.ranks == nullptr || environment.ranks->rank() == 0;
  const std::string remark = watch.seen() && speaks
                                 ? doctor::loss_remark(read.settings.training.output_dir)
                                 : std::string();
  if (!remark.empty()) terminal.warning(remark);
  return status;
}

}  // namespace hone::cli
