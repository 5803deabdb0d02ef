#include "train/training_loop.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "report/results.h"
#include "train/sentinel.h"

namespace hone::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

bool Cadence::due(std::int64_t step, bool ends_epoch) const {
  switch (strategy) {
    case Strategy::no:
      return false;
    case Strategy::steps:
      return step % every_steps == 0;
    case Strategy::epoch:
      return ends_epoch;
  }
  return false;
}

TrainingLoop::TrainingLoop(const LoopOptions& options, data::Schedule& schedule,
                           const LoopData& data, const TrainingState& state,
                           ParameterSource& parameters, report::LogHistory& history,
                           checkpoint::RunSaver* saver, std::function<bool()> stop_requested)
    : options_(options),
      schedule_(schedule),
      data_(data),
      state_(state),
      parameters_(parameters),
      history_(history),
      saver_(saver),
      stop_requested_(std::move(stop_requested)),
      start_(Clock::now()),
      stragglers_(options.rank_places) {}

LoopResult TrainingLoop::run(const ResumePoint& resume) {
  start_at(resume);
  if (options_.evaluate_on_start && step_ == 0) evaluate();
  while (step_ < schedule_.total_steps()) {
    const bool ends_epoch = next_step();
    if (options_.evaluate.due(step_, ends_epoch)) follow(evaluate());
    const bool last = step_ == schedule_.total_steps();
    const bool last_save = last && options_.save.strategy == Cadence::Strategy::steps;
    if (options_.save.due(step_, ends_epoch) || last_save) save();
    if (!last && state_.ranks.any(stop_requested_())) {
      if (last_saved_step_ != step_) save();
      return finish(true);
    }
  }
  // What is written at the end is these weights, whether or not a checkpoint was due.
  refuse_non_finite_weights(step_, state_);
  return finish(false);
}

void TrainingLoop::start_at(const ResumePoint& resume) {
  start_ = Clock::now();
  first_step_ = step_ = resume.step;
  first_tokens_ = tokens_seen_ = resume.tokens_seen;
  optimizer_updates_ = resume.optimizer_updates;
  last_saved_step_ = resume.step > 0 ? resume.step : -1;
  if (step_ > 0) epoch_ = schedule_.step(step_ - 1).epoch_after;
  history_.restore(resume.log_entries, resume.totals);
  // What the plateau has seen stands in the log: it needs no place of its own in checkpoints.
  if (options_.plateau) plateau_.emplace(*options_.plateau, options_.learning_rate.base);
  for (const report::LogEntry& entry : resume.log_entries) {
    if (entry.step > 0) follow(entry.metrics);
  }
  const data::ScheduleOptions& plan = schedule_.options();
  history_.run_started({.examples = plan.records,
                        .epochs = plan.epochs,
                        .records_per_batch = plan.batch_size,
                        .accumulation = plan.accumulation,
                        .ranks = plan.ranks,
                        .total_steps = schedule_.total_steps(),
                        .first_step = resume.step,
                        .tokens_seen = resume.tokens_seen,
                        .total_tokens = std::nullopt,
                        .trainable_parameters = options_.trainable_parameters,
                        .all_parameters = options_.all_parameters});
}

bool TrainingLoop::next_step() {
  const Clock::time_point step_start = Clock::now();
  const double waited_before = state_.ranks.waited_seconds();
  const data::StepData step_data = schedule_.step(step_);
  const data::DealtStep dealt =
      data::deal_step(step_data, data_.training.sizes(), state_.ranks.rank(), state_.ranks.ranks(),
                      options_.micro_step_tokens);
  const StepOutcome outcome = step(step_data, dealt);
  ++step_;
  epoch_ = step_data.epoch_after;
  tokens_seen_ += dealt.tokens;
  const double seconds = seconds_since(step_start);
  history_.step_finished({.step = step_,
                          .total_steps = schedule_.total_steps(),
                          .epoch = epoch_,
                          .ends_epoch = step_data.ends_epoch,
                          .loss = outcome.loss,
                          .grad_norm = outcome.grad_norm,
                          .learning_rate = learning_rate_,
                          .tokens = dealt.tokens,
                          .label_tokens = dealt.counted_labels,
                          .tokens_seen = tokens_seen_,
                          .micro_steps = outcome.micro_steps,
                          .seconds = seconds,
                          .elapsed_seconds = elapsed_seconds(),
                          .more = {}});
  watch_ranks(seconds - (state_.ranks.waited_seconds() - waited_before));
  return step_data.ends_epoch;
}

void TrainingLoop::watch_ranks(double seconds) {
  if (state_.ranks.ranks() == 1) return;
  computed_seconds_ += seconds;
  ++computed_steps_;
  if (step_ % StragglerWatch::kSteps != 0) return;
  std::vector<double> of_ranks(static_cast<std::size_t>(state_.ranks.ranks()), 0.0);
  of_ranks[static_cast<std::size_t>(state_.ranks.rank())] = computed_seconds_;
  state_.ranks.sum(of_ranks);
  if (const auto line = stragglers_.compare(of_ranks, computed_steps_, step_)) {
    history_.noted({Severity::warning, *line});
  }
  computed_seconds_ = 0.0;
  computed_steps_ = 0;
}

TrainingLoop::StepOutcome TrainingLoop::step(const data::StepData& step_data,
                                             const data::DealtStep& dealt) {
  learning_rate_ = plateau_ ? plateau_->rate() : options_.learning_rate.at(step_);
  StepOutcome outcome;
  outcome.micro_steps = static_cast<std::int64_t>(dealt.micro_steps.size());
  // Nothing to learn from: weights and optimizer state stay as they are.
  if (dealt.predicted_labels == 0) return outcome;
  const double loss = accumulate_gradients(step_data, dealt);
  const double norm = state_.ranks.gradient_norm(state_.ops);
  if (!std::isfinite(norm)) stop_at("the gradient norm", step_data);
  ++optimizer_updates_;
  state_.ranks.update(state_.ops,
                      {.step = optimizer_updates_,
                       .learning_rate = learning_rate_,
                       .gradient_scale = optimizers::clip_factor(norm, options_.max_grad_norm)});
  outcome.loss = loss;
  outcome.grad_norm = norm;
  return outcome;
}

double TrainingLoop::accumulate_gradients(const data::StepData& step_data,
                                          const data::DealtStep& dealt) {
  StepRanks& ranks = state_.ranks;
  ranks.begin_step(*state_.ops.device);
  const double scale = 1.0 / static_cast<double>(dealt.counted_labels);
  const std::int64_t first_ordinal = step_data.records.front().ordinal;
  double sum = 0.0;
  std::int64_t done = 0;
  for (const std::vector<data::StepRecord>& records : dealt.micro_steps) {
    ranks.begin_pass(done + 1 == static_cast<std::int64_t>(dealt.micro_steps.size()));
    const model::BatchView batch = data_.feed.pack(records, step_, first_ordinal);
    // Reductions must meet, also where a rank has nothing to add.
    const bool needed = batch.label_count() > 0 || ranks.ranks() > 1;
    if (needed) sum += state_.walk.train(batch, state_.loss, scale);
    if (!std::isfinite(sum) && ranks.ranks() == 1) stop_at("the loss", step_data);
    history_.micro_step_finished({.step = step_ + 1,
                                  .done = ++done,
                                  .of = static_cast<std::int64_t>(dealt.micro_steps.size()),
                                  .elapsed_seconds = elapsed_seconds()});
  }
  const double total = ranks.sum(sum);
  if (!std::isfinite(total)) stop_at("the loss", step_data);
  return total * scale;
}

void TrainingLoop::stop_at(const std::string& what, const data::StepData& step_data) {
  NonFinite found{step_ + 1, what, learning_rate_, {}};
  for (const data::StepRecord& record : step_data.records) {
    found.records.push_back(data_.origins[static_cast<std::size_t>(record.record)]);
  }
  throw explain_non_finite(found, data_.files, state_, parameters_,
                           data_.feed.batch().token_count());
}

report::Metrics TrainingLoop::evaluate() {
  report::Metrics all;
  for (const EvaluationSet& set : data_.evaluations) {
    const report::Metrics metrics = evaluate_set(set);
    all.insert(all.end(), metrics.begin(), metrics.end());
  }
  return all;
}

void TrainingLoop::follow(const report::Metrics& metrics) {
  if (!plateau_ || !report::has_key(metrics, options_.plateau_metric)) return;
  const report::Measured measured = report::find_measured(metrics, options_.plateau_metric);
  plateau_->see(report::is_number(measured) ? report::to_number(measured)
                                            : std::numeric_limits<double>::quiet_NaN());
}

report::Metrics TrainingLoop::evaluate_set(const EvaluationSet& set) {
  const Clock::time_point start = Clock::now();
  const EvaluationResult result = train::evaluate(
      *set.dataset, options_.evaluation, *set.feed, state_.walk, state_.loss,
      [&](std::int64_t records) {
        history_.evaluation_progressed({.records = records,
                                        .of = set.dataset->records(),
                                        .elapsed_seconds = elapsed_seconds()});
      },
      &state_.ranks);
  const report::Metrics metrics = evaluation_metrics(result, seconds_since(start), set.prefix);
  history_.evaluation_finished(
      {.step = step_, .epoch = epoch_, .metrics = metrics, .elapsed_seconds = elapsed_seconds()});
  return metrics;
}

report::TrainerState TrainingLoop::trainer_state(bool over) const {
  report::TrainerState state;
  state.global_step = step_;
  state.max_steps = schedule_.total_steps();
  state.epoch = epoch_;
  state.num_train_epochs = static_cast<double>(schedule_.epochs_begun());
  state.logging_steps = options_.logging_steps;
  state.eval_steps = options_.eval_steps;
  state.save_steps = options_.save_steps;
  state.train_batch_size = schedule_.options().batch_size;
  state.tokens_seen = tokens_seen_;
  state.total_flops = total_flops();
  state.training_is_over = over;
  state.log_history = history_.entries();
  state.loss_totals = history_.totals();
  return state;
}

void TrainingLoop::save() {
  if (saver_ == nullptr) return;
  refuse_non_finite_weights(step_, state_);
  const Clock::time_point start = Clock::now();
  const bool over = step_ == schedule_.total_steps();
  const checkpoint::SavedCheckpoint saved =
      saver_->save({.step = step_,
                    .optimizer_updates = optimizer_updates_,
                    .tokens_seen = tokens_seen_,
                    .trainer_state = report::trainer_state_text(trainer_state(over))});
  last_saved_step_ = step_;
  history_.checkpoint_saved({.step = step_,
                             .path = saved.path,
                             .size_bytes = saved.size_bytes,
                             .seconds = seconds_since(start)});
}

double TrainingLoop::elapsed_seconds() const {
  return seconds_since(start_);
}

LoopResult TrainingLoop::finish(bool interrupted) {
  LoopResult result;
  result.interrupted = interrupted;
  result.step = step_;
  result.epoch = epoch_;
  result.tokens_seen = tokens_seen_;
  result.seconds = elapsed_seconds();
  result.total_flops = total_flops();
  if (!interrupted) result.metrics = summary(result.seconds);
  history_.run_finished({.step = step_,
                         .epoch = epoch_,
                         .interrupted = interrupted,
                         .metrics = result.metrics,
                         .elapsed_seconds = result.seconds});
  return result;
}

report::Metrics TrainingLoop::summary(double seconds) const {
  const data::ScheduleOptions& plan = schedule_.options();
  const double steps = static_cast<double>(step_ - first_step_);
  const double share =
      steps / static_cast<double>(std::max<std::int64_t>(schedule_.total_steps(), 1));
  report::TrainTotals totals;
  totals.runtime_seconds = seconds;
  totals.samples =
      plan.max_steps > 0
          ? steps * static_cast<double>(plan.batch_size * plan.accumulation * plan.ranks)
          : static_cast<double>(plan.records) * plan.epochs * share;
  totals.steps = step_ - first_step_;
  totals.total_flops = total_flops();
  totals.train_loss = history_.train_loss();
  if (options_.report_tokens) totals.tokens_seen = tokens_seen_;
  totals.tokens = tokens_seen_ - first_tokens_;
  return report::train_metrics(totals);
}

double TrainingLoop::total_flops() const {
  return 6.0 * static_cast<double>(options_.flops_parameters) * static_cast<double>(tokens_seen_);
}

}  // namespace hone::train
