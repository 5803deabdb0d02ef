// Turns steps into the entries of the log, as transformers 5 does.
//
// A step is logged when the cadence asks for it. `loss` is the mean of the step losses since the
// entry before, over the steps that had labels (nothing when none had); `grad_norm` and
// `learning_rate` are those of the step itself. An evaluation is an entry of its own, the summary
// of a finished run is the last one. The last step of a run is not logged out of turn.
#pragma once

#include <cstdint>
#include <vector>

#include "report/events.h"

namespace hone::report {

struct LogCadence {
  enum class Strategy { no, steps, epoch };
  Strategy strategy = Strategy::steps;
  std::int64_t every_steps = 500;  // at least 1; used by Strategy::steps only
  bool first_step = false;         // log step 1 as well; with every strategy
};

// What the means are made of. Part of a checkpoint, so that a resumed run logs the same bits.
struct LossTotals {
  double sum_since_log = 0;
  std::int64_t steps_since_log = 0;  // steps with labels
  double sum = 0;                    // over the whole run
  std::int64_t steps = 0;

  bool operator==(const LossTotals& other) const = default;
};

// Stands between the train loop and all other listeners: passes every event on, and adds `logged`
// after the step or evaluation that it belongs to, and before run_finished.
class LogHistory : public Listener {
 public:
  // `tokens_in_entries`: include_num_input_tokens_seen. `next` outlives this.
  LogHistory(LogCadence cadence, bool tokens_in_entries, Listener& next);

  // Before the first event of a resumed run.
  void restore(std::vector<LogEntry> entries, const LossTotals& totals);

  const std::vector<LogEntry>& entries() const { return entries_; }
  const LossTotals& totals() const { return totals_; }

  // Mean loss of all steps with labels of the whole run, also those before a resumption; nothing
  // when there was none.
  Measured train_loss() const;

  void run_started(const RunStarted& event) override;
  void micro_step_finished(const MicroStepFinished& event) override;
  // A loss that is there must be finite: a run stops before it would tell of another.
  void step_finished(const StepFinished& event) override;
  void evaluation_progressed(const EvaluationProgressed& event) override;
  void evaluation_finished(const EvaluationFinished& event) override;
  void checkpoint_saved(const CheckpointSaved& event) override;
  // An interrupted run has no summary: it is not over.
  void run_finished(const RunFinished& event) override;
  void noted(const Noted& event) override;

 private:
  bool due(const StepFinished& event) const;
  void add(Logged::Kind kind, LogEntry entry, double elapsed_seconds);

  LogCadence cadence_;
  bool tokens_in_entries_;
  Listener& next_;
  std::vector<LogEntry> entries_;
  LossTotals totals_;
  std::int64_t total_steps_ = 0;
  std::int64_t tokens_seen_ = 0;
};

}  // namespace hone::report
