#include "report/log_history.h"

#include <cmath>
#include <optional>
#include <utility>

#include "base/error.h"

namespace hone::report {

namespace {

Measured measured(const std::optional<double>& value) {
  if (value) return *value;
  return {};
}

Measured mean(double sum, std::int64_t count) {
  if (count == 0) return {};
  return sum / static_cast<double>(count);
}

}  // namespace

LogHistory::LogHistory(LogCadence cadence, bool tokens_in_entries, Listener& next)
    : cadence_(cadence), tokens_in_entries_(tokens_in_entries), next_(next) {
  HONE_ASSERT(cadence.strategy != LogCadence::Strategy::steps || cadence.every_steps >= 1,
              cadence.every_steps);
}

void LogHistory::restore(std::vector<LogEntry> entries, const LossTotals& totals) {
  entries_ = std::move(entries);
  totals_ = totals;
}

Measured LogHistory::train_loss() const {
  return mean(totals_.sum, totals_.steps);
}

bool LogHistory::due(const StepFinished& event) const {
  if (cadence_.first_step && event.step == 1) return true;
  switch (cadence_.strategy) {
    case LogCadence::Strategy::no:
      return false;
    case LogCadence::Strategy::steps:
      return event.step % cadence_.every_steps == 0;
    case LogCadence::Strategy::epoch:
      return event.ends_epoch;
  }
  return false;
}

void LogHistory::add(Logged::Kind kind, LogEntry entry, double elapsed_seconds) {
  entries_.push_back(std::move(entry));
  next_.logged({kind, entries_.back(), total_steps_, tokens_seen_, elapsed_seconds});
}

void LogHistory::run_started(const RunStarted& event) {
  total_steps_ = event.total_steps;
  tokens_seen_ = event.tokens_seen;
  next_.run_started(event);
}

void LogHistory::micro_step_finished(const MicroStepFinished& event) {
  next_.micro_step_finished(event);
}

void LogHistory::step_finished(const StepFinished& event) {
  if (event.loss) {
    HONE_ASSERT(std::isfinite(*event.loss), *event.loss, event.step);
    totals_.sum_since_log += *event.loss;
    ++totals_.steps_since_log;
    totals_.sum += *event.loss;
    ++totals_.steps;
  }
  tokens_seen_ = event.tokens_seen;
  next_.step_finished(event);
  if (!due(event)) return;
  Metrics metrics = {{"loss", mean(totals_.sum_since_log, totals_.steps_since_log)},
                     {"grad_norm", measured(event.grad_norm)},
                     {"learning_rate", event.learning_rate}};
  metrics.insert(metrics.end(), event.more.begin(), event.more.end());
  if (tokens_in_entries_) metrics.push_back({"num_input_tokens_seen", event.tokens_seen});
  totals_.sum_since_log = 0;
  totals_.steps_since_log = 0;
  add(Logged::Kind::train, {event.step, event.epoch, std::move(metrics)}, event.elapsed_seconds);
}

void LogHistory::evaluation_progressed(const EvaluationProgressed& event) {
  next_.evaluation_progressed(event);
}

void LogHistory::evaluation_finished(const EvaluationFinished& event) {
  next_.evaluation_finished(event);
  Metrics metrics = event.metrics;
  if (tokens_in_entries_) metrics.push_back({"num_input_tokens_seen", tokens_seen_});
  add(Logged::Kind::evaluation, {event.step, event.epoch, std::move(metrics)},
      event.elapsed_seconds);
}

void LogHistory::checkpoint_saved(const CheckpointSaved& event) {
  next_.checkpoint_saved(event);
}

void LogHistory::run_finished(const RunFinished& event) {
  if (!event.interrupted)
    add(Logged::Kind::summary, {event.step, event.epoch, event.metrics}, event.elapsed_seconds);
  next_.run_finished(event);
}

void LogHistory::noted(const Noted& event) {
  next_.noted(event);
}

}  // namespace hone::report
