// How training goes: batches, optimizer, schedule, and when to log, evaluate and save.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings/schedule_arguments.h"

namespace hone::config {

enum class ScheduleKind {
  constant,
  constant_with_warmup,
  linear,
  cosine,
  cosine_with_restarts,
  polynomial,
  inverse_sqrt,
  reduce_lr_on_plateau,
  cosine_with_min_lr,
  cosine_warmup_with_min_lr,
  warmup_stable_decay
};
// adamw_bf16: AdamW whose states are bf16, rounded stochastically.
enum class OptimizerKind { adamw, adamw_bf16 };
enum class Strategy { no, steps, epoch };
enum class TokensSeen { no, all, non_padding };
enum class ReportTo { none, tensorboard };
// Number type of the computation. automatic: not stated; the model's own type decides.
enum class ComputeType { automatic, float32, bfloat16 };

struct TrainingSettings {
  std::string output_dir = "trainer_output";
  bool overwrite_output_dir = false;
  bool do_train = false;
  bool do_eval = false;  // completed: true as well when eval_strategy is not `no`

  std::int64_t per_device_train_batch_size = 8;  // records
  std::int64_t per_device_eval_batch_size = 8;
  std::int64_t gradient_accumulation_steps = 1;
  double num_train_epochs = 3.0;
  std::int64_t max_steps = -1;  // above 0: wins over num_train_epochs

  double learning_rate = 5e-5;
  ScheduleKind lr_scheduler_type = ScheduleKind::linear;
  std::optional<std::string> lr_scheduler_kwargs;  // JSON text
  ScheduleArguments schedule;                      // completed: what that text says; read this
  // An amount of steps: see steps_of. Completed: warmup_ratio's value where that is set; read this.
  double warmup_steps = 0.0;
  std::optional<double> warmup_ratio;
  OptimizerKind optim = OptimizerKind::adamw;
  double weight_decay = 0.0;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.999;
  double adam_epsilon = 1e-8;
  double max_grad_norm = 1.0;  // 0 or less: no clipping

  bool bf16 = false;
  // As written; completed: bfloat16 too where bf16 or pure_bf16 is true. Read this, not bf16.
  ComputeType compute_type = ComputeType::automatic;

  Strategy logging_strategy = Strategy::steps;
  double logging_steps = 500;  // an amount of steps
  bool logging_first_step = false;
  Strategy save_strategy = Strategy::steps;
  double save_steps = 500;                       // an amount of steps
  std::optional<std::int64_t> save_total_limit;  // unset, 0 or less: no limit
  bool save_only_model = false;
  Strategy eval_strategy = Strategy::no;
  std::optional<double> eval_steps;  // an amount of steps; completed: logging_steps where unset
  bool eval_on_start = false;
  // Of the metrics of an evaluation, with or without "eval_"; unset: loss.
  std::optional<std::string> metric_for_best_model;

  std::int64_t seed = 42;                 // hone chat: read it only where it was given
  std::optional<std::int64_t> data_seed;  // completed: seed where unset
  ReportTo report_to = ReportTo::none;
  std::optional<std::string> logging_dir;  // unset: runs/<start>_<host> inside output_dir
  std::optional<std::string> run_name;
  // A folder, or `true`: the newest checkpoint of output_dir (then it must exist).
  std::optional<std::string> resume_from_checkpoint;
  TokensSeen include_num_input_tokens_seen = TokensSeen::no;
  std::optional<bool> disable_tqdm;  // unset: a bar on a terminal, lines elsewhere
  bool use_cpu = false;
  std::int64_t ddp_timeout = 1800;  // seconds that a rank waits for others within one exchange
};

// Steps in an amount of steps: 1 or more is a count, less is a share of all steps, rounded up
// (transformers: TrainerState.compute_steps, get_warmup_steps).
std::int64_t steps_of(double amount, std::int64_t total_steps);

}  // namespace hone::config
