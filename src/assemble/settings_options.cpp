#include "assemble/settings_options.h"

#include <utility>

#include "assemble/learning_rate_options.h"
#include "optimizers/adamw.h"

namespace hone::assemble {
namespace {

train::Cadence::Strategy cadence_strategy(config::Strategy strategy) {
  switch (strategy) {
    case config::Strategy::no:
      return train::Cadence::Strategy::no;
    case config::Strategy::steps:
      return train::Cadence::Strategy::steps;
    case config::Strategy::epoch:
      return train::Cadence::Strategy::epoch;
  }
  return train::Cadence::Strategy::no;
}

bool keeps_bf16(const config::Settings& settings) {
  return settings.finetuning.pure_bf16 &&
         settings.finetuning.finetuning_type == config::FinetuningType::full;
}

}  // namespace

data::ScheduleOptions schedule_options(const config::Settings& settings, std::int64_t records,
                                       int ranks) {
  const config::TrainingSettings& training = settings.training;
  data::ScheduleOptions options;
  options.records = records;
  options.batch_size = training.per_device_train_batch_size;
  options.accumulation = training.gradient_accumulation_steps;
  options.ranks = ranks;
  options.epochs = training.num_train_epochs;
  options.max_steps = training.max_steps;
  options.shuffle = !settings.finetuning.disable_shuffling && !settings.data.streaming;
  options.seed = training.data_seed.value_or(training.seed);
  return options;
}

model::LoraOptions lora_options(const config::Settings& settings) {
  const config::FinetuningSettings& tuning = settings.finetuning;
  model::LoraOptions options;
  options.targets = tuning.lora_target;
  options.rank = tuning.lora_rank;
  options.alpha = static_cast<double>(tuning.lora_alpha.value_or(2 * tuning.lora_rank));
  options.rank_stabilized = tuning.use_rslora;
  options.dropout = tuning.lora_dropout;
  options.whole_modules = tuning.additional_target;
  return options;
}

model::WeightPolicy weight_policy(const config::Settings& settings, const Machine& machine) {
  model::WeightPolicy policy;
  policy.map_frozen = machine.maps_files();
  policy.frozen_as_bf16 = settings.training.compute_type == config::ComputeType::bfloat16;
  policy.trainable = keeps_bf16(settings) ? DType::bf16 : DType::f32;
  return policy;
}

std::unique_ptr<optimizers::Optimizer> make_optimizer(const config::Settings& settings,
                                                      std::vector<optimizers::Segment> segments,
                                                      std::int64_t elements) {
  const config::TrainingSettings& training = settings.training;
  optimizers::AdamWOptions options;
  options.beta1 = training.adam_beta1;
  options.beta2 = training.adam_beta2;
  options.epsilon = training.adam_epsilon;
  options.seed = static_cast<std::uint64_t>(training.seed);
  if (training.optim == config::OptimizerKind::adamw_bf16) {
    options.state = DType::bf16;
    options.stochastic_rounding = true;
  }
  return optimizers::make_adamw(options, std::move(segments), elements);
}

report::LogCadence log_cadence(const config::Settings& settings, std::int64_t total_steps) {
  report::LogCadence cadence;
  switch (settings.training.logging_strategy) {
    case config::Strategy::no:
      cadence.strategy = report::LogCadence::Strategy::no;
      break;
    case config::Strategy::steps:
      cadence.strategy = report::LogCadence::Strategy::steps;
      break;
    case config::Strategy::epoch:
      cadence.strategy = report::LogCadence::Strategy::epoch;
      break;
  }
  cadence.every_steps = config::steps_of(settings.training.logging_steps, total_steps);
  cadence.first_step = settings.training.logging_first_step;
  return cadence;
}

train::LoopOptions loop_options(const config::Settings& settings, std::int64_t total_steps) {
  const config::TrainingSettings& training = settings.training;
  train::LoopOptions options;
  options.learning_rate = learning_rate_schedule(training, total_steps);
  options.plateau = plateau_options(training);
  options.plateau_metric = metric_followed(training);
  options.max_grad_norm = training.max_grad_norm;
  options.logging_steps = config::steps_of(training.logging_steps, total_steps);
  options.save_steps = config::steps_of(training.save_steps, total_steps);
  options.eval_steps =
      config::steps_of(training.eval_steps.value_or(training.logging_steps), total_steps);
  options.save = {cadence_strategy(training.save_strategy), options.save_steps};
  options.evaluate = {cadence_strategy(training.eval_strategy), options.eval_steps};
  options.evaluate_on_start = training.eval_on_start;
  options.evaluation.batch_size = training.per_device_eval_batch_size;
  options.report_tokens = training.include_num_input_tokens_seen != config::TokensSeen::no;
  return options;
}

}  // namespace hone::assemble
