// The training loop: steps, clipping, evaluation, saving. It emits events and prints nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checkpoint/run_saver.h"
#include "data/order/dealt_step.h"
#include "data/order/schedule.h"
#include "data/sources/record.h"
#include "optimizers/learning_rate.h"
#include "optimizers/plateau.h"
#include "report/events.h"
#include "report/log_history.h"
#include "report/trainer_state.h"
#include "train/batch_feed.h"
#include "train/evaluation.h"
#include "train/straggler_watch.h"
#include "train/training_state.h"

namespace hone::train {

// When something happens beside steps.
struct Cadence {
  enum class Strategy { no, steps, epoch };
  Strategy strategy = Strategy::no;
  std::int64_t every_steps = 500;

  bool due(std::int64_t step, bool ends_epoch) const;
};

struct LoopOptions {
  optimizers::LearningRateSchedule learning_rate;
  // Where there is one, it takes the place of the schedule above, whose base it begins with.
  std::optional<optimizers::PlateauOptions> plateau;
  std::string plateau_metric = "eval_loss";
  double max_grad_norm = 1.0;
  std::int64_t micro_step_tokens = 1536;
  Cadence save;  // with Strategy::steps also at the last step
  Cadence evaluate;
  bool evaluate_on_start = false;
  EvaluationOptions evaluation;
  std::int64_t trainable_parameters = 0;
  std::int64_t all_parameters = 0;
  std::int64_t flops_parameters = 0;  // transformers' count for total_flos: without the embedding
  std::int64_t logging_steps = 500;   // for trainer_state.json, as are the next
  std::int64_t eval_steps = 500;
  std::int64_t save_steps = 500;
  bool report_tokens = false;            // include_num_input_tokens_seen
  std::vector<std::string> rank_places;  // of several ranks: "host b, pid 4711"
};

// Where a resumed run goes on.
struct ResumePoint {
  std::int64_t step = 0;
  std::int64_t optimizer_updates = 0;
  std::int64_t tokens_seen = 0;
  std::vector<report::LogEntry> log_entries;
  report::LossTotals totals;
};

// A set to evaluate on; its numbers are called `prefix`_loss and so on.
struct EvaluationSet {
  std::string prefix;
  const data::EncodedDataset* dataset = nullptr;
  BatchFeed* feed = nullptr;
};

struct LoopData {
  const data::EncodedDataset& training;
  BatchFeed& feed;
  // For errors that name records: of each record of `training`, and the files that they count.
  const std::vector<data::RecordOrigin>& origins;
  const std::vector<std::string>& files;
  std::vector<EvaluationSet> evaluations = {};
};

struct LoopResult {
  bool interrupted = false;
  std::int64_t step = 0;
  double epoch = 0.0;
  std::int64_t tokens_seen = 0;
  double total_flops = 0.0;
  double seconds = 0.0;
  report::Metrics metrics;  // the summary; empty when interrupted
};

class TrainingLoop {
 public:
  // All references must outlive the loop. `history` is the listener that everything is told to;
  // `saver` may be null (save_strategy: no). `stop_requested` is asked after every step: when it is
  // so on any rank, the loop saves and returns on all.
  TrainingLoop(const LoopOptions& options, data::Schedule& schedule, const LoopData& data,
               const TrainingState& state, ParameterSource& parameters, report::LogHistory& history,
               checkpoint::RunSaver* saver, std::function<bool()> stop_requested);

  // Runs from the resume point to the end.
  LoopResult run(const ResumePoint& resume);

  // One evaluation of every set; the metrics of all, none when there is nothing to evaluate on.
  report::Metrics evaluate();

  // trainer_state.json as it is now.
  report::TrainerState trainer_state(bool over) const;

 private:
  struct StepOutcome {
    std::optional<double> loss;
    std::optional<double> grad_norm;
    std::int64_t micro_steps = 0;
  };

  void start_at(const ResumePoint& resume);
  // Runs and reports one step; whether it ended an epoch.
  bool next_step();
  // Compares how long the ranks computed, from time to time.
  void watch_ranks(double seconds);
  StepOutcome step(const data::StepData& step_data, const data::DealtStep& dealt);
  double accumulate_gradients(const data::StepData& step_data, const data::DealtStep& dealt);
  [[noreturn]] void stop_at(const std::string& what, const data::StepData& step_data);
  report::Metrics evaluate_set(const EvaluationSet& set);
  // Shows the plateau what an evaluation gave.
  void follow(const report::Metrics& metrics);
  void save();
  double elapsed_seconds() const;
  LoopResult finish(bool interrupted);
  report::Metrics summary(double seconds) const;
  // transformers' estimate: six operations per token and parameter outside of the embedding.
  double total_flops() const;

  LoopOptions options_;
  data::Schedule& schedule_;
  LoopData data_;
  TrainingState state_;
  ParameterSource& parameters_;
  report::LogHistory& history_;
  checkpoint::RunSaver* saver_;
  std::function<bool()> stop_requested_;

  std::chrono::steady_clock::time_point start_;
  std::int64_t first_step_ = 0;
  std::int64_t first_tokens_ = 0;
  std::int64_t step_ = 0;  // done
  std::int64_t optimizer_updates_ = 0;
  std::int64_t tokens_seen_ = 0;
  double epoch_ = 0.0;
  double learning_rate_ = 0.0;
  std::optional<optimizers::Plateau> plateau_;
  std::int64_t last_saved_step_ = -1;
  StragglerWatch stragglers_;
  double computed_seconds_ = 0.0;  // since the ranks were compared last
  std::int64_t computed_steps_ = 0;
};

}  // namespace hone::train
