#include "config/settings/storage.h"

namespace hone::config {
namespace {

// Largest seed that every generator of the ecosystem takes (numpy's limit).
constexpr double kLargestSeed = 4294967295.0;

Declaration& declare(Declarations& to, const char* name, Kind kind, Storage storage,
                     const char* help) {
  return to.works(Group::training, name, kind, storage, help);
}

template <auto Member>
Storage member() {
  return stored<&Settings::training, Member>();
}

void declare_run(Declarations& to) {
  using T = TrainingSettings;
  declare(to, "output_dir", Kind::path, member<&T::output_dir>(),
          "The folder that everything is written to.");
  declare(to, "overwrite_output_dir", Kind::boolean, member<&T::overwrite_output_dir>(),
          "Start anew even if output_dir holds results; files of other names stay.");
  declare(to, "do_train", Kind::boolean, member<&T::do_train>(),
          "Train; false with do_eval: evaluate the model as it is.");
  declare(to, "do_eval", Kind::boolean, member<&T::do_eval>(),
          "Evaluate at the end, or alone where do_train is false.");
  declare(to, "seed", Kind::whole, member<&T::seed>(),
          "Seed of everything random; a conversation without one takes a fresh seed and shows it.")
      .at_least(0)
      .at_most(kLargestSeed)
      .also_taken_by(Command::chat);
  declare(to, "data_seed", Kind::whole, member<&T::data_seed>(), "Seed of the order of records.")
      .at_least(0)
      .at_most(kLargestSeed)
      .default_shown_as("seed");
  declare(to, "resume_from_checkpoint", Kind::path, member<&T::resume_from_checkpoint>(),
          "Folder of the checkpoint to go on from; true: the newest in output_dir.")
      .means_if_true("true");
  declare(to, "use_cpu", Kind::boolean, member<&T::use_cpu>(), "The same as device: cpu.")
      .also_named("no_cuda");
}

void declare_batches(Declarations& to) {
  using T = TrainingSettings;
  declare(to, "per_device_train_batch_size", Kind::whole, member<&T::per_device_train_batch_size>(),
          "Records per logical batch. The records of a step are this many times "
          "gradient_accumulation_steps; how they are cut into micro-steps is hone's affair.")
      .at_least(1);
  declare(to, "per_device_eval_batch_size", Kind::whole, member<&T::per_device_eval_batch_size>(),
          "Records per logical batch in evaluation.")
      .at_least(1);
  declare(to, "gradient_accumulation_steps", Kind::whole, member<&T::gradient_accumulation_steps>(),
          "Logical batches per optimizer step.")
      .at_least(1);
  declare(to, "num_train_epochs", Kind::number, member<&T::num_train_epochs>(),
          "Passes over the data; may be a fraction.")
      .above(0);
  declare(to, "max_steps", Kind::whole, member<&T::max_steps>(),
          "Optimizer steps; -1: as many as num_train_epochs takes.")
      .at_least(-1);
}

void declare_optimizer(Declarations& to) {
  using T = TrainingSettings;
  declare(to, "learning_rate", Kind::number, member<&T::learning_rate>(),
          "Peak of the learning rate.")
      .at_least(0);
  declare(
      to, "lr_scheduler_type", Kind::choice, member<&T::lr_scheduler_type>(),
      "How the learning rate goes; reduce_lr_on_plateau is the one without warm-up that follows "
      "the evaluations.")
      .choice("linear", static_cast<int>(ScheduleKind::linear))
      .choice("cosine", static_cast<int>(ScheduleKind::cosine))
      .choice("constant", static_cast<int>(ScheduleKind::constant))
      .choice("constant_with_warmup", static_cast<int>(ScheduleKind::constant_with_warmup))
      .choice("cosine_with_restarts", static_cast<int>(ScheduleKind::cosine_with_restarts))
      .choice("polynomial", static_cast<int>(ScheduleKind::polynomial))
      .choice("inverse_sqrt", static_cast<int>(ScheduleKind::inverse_sqrt))
      .choice("reduce_lr_on_plateau", static_cast<int>(ScheduleKind::reduce_lr_on_plateau))
      .choice("cosine_with_min_lr", static_cast<int>(ScheduleKind::cosine_with_min_lr))
      .choice("cosine_warmup_with_min_lr",
              static_cast<int>(ScheduleKind::cosine_warmup_with_min_lr))
      .choice("warmup_stable_decay", static_cast<int>(ScheduleKind::warmup_stable_decay))
      .refuse_choices({"greedy"},
                      "no schedule of the transformers that LLaMA-Factory runs with; use "
                      "reduce_lr_on_plateau, which follows the evaluations too");
  declare(to, "lr_scheduler_kwargs", Kind::mapping, member<&T::lr_scheduler_kwargs>(),
          "Settings of the schedule, e.g. {\"num_cycles\": 2}: those of transformers, and for "
          "reduce_lr_on_plateau those of torch.");
  declare(to, "warmup_steps", Kind::amount, member<&T::warmup_steps>(),
          "Steps of warm-up: 1 or more a number, below 1 a share of all steps.")
      .at_least(0);
  declare(to, "warmup_ratio", Kind::number, member<&T::warmup_ratio>(),
          "Share of all steps that is warm-up.")
      .at_least(0)
      .at_most(1);
  declare(to, "optim", Kind::choice, member<&T::optim>(),
          "Optimizer. adamw_bf16 is AdamW with its states in bf16, rounded stochastically; "
          "adamw_torch and the other names are AdamW with states in f32, which is what those "
          "programs compute.")
      .choice("adamw_torch", static_cast<int>(OptimizerKind::adamw))
      .choice("adamw_torch_fused", static_cast<int>(OptimizerKind::adamw))
      .choice("adamw_torch_xla", static_cast<int>(OptimizerKind::adamw))
      .choice("adamw_torch_npu_fused", static_cast<int>(OptimizerKind::adamw))
      .choice("adamw_apex_fused", static_cast<int>(OptimizerKind::adamw))
      .choice("paged_adamw_32bit", static_cast<int>(OptimizerKind::adamw))
      .choice("adamw_bf16", static_cast<int>(OptimizerKind::adamw_bf16))
      .refuse_choices({"adamw_anyprecision", "adamw_torch_4bit", "adamw_torch_8bit",
                       "adamw_bnb_8bit", "adamw_8bit", "paged_adamw_8bit"},
                      "AdamW whose states are kept in another way than here; use adamw_bf16, whose "
                      "states take half of adamw_torch's")
      .refuse_choices({"galore_adamw", "galore_adamw_8bit", "galore_adafactor",
                       "galore_adamw_layerwise", "galore_adamw_8bit_layerwise",
                       "galore_adafactor_layerwise", "apollo_adamw", "apollo_adamw_layerwise"},
                      "gradients of low rank, which are not in this version of hone; use "
                      "finetuning_type: lora, whose states are small, or adamw_bf16")
      .refuse_choices({"adafactor",
                       "ademamix",
                       "ademamix_8bit",
                       "paged_ademamix_32bit",
                       "paged_ademamix_8bit",
                       "sgd",
                       "adagrad",
                       "lion_8bit",
                       "lion_32bit",
                       "paged_lion_32bit",
                       "paged_lion_8bit",
                       "rmsprop",
                       "rmsprop_bnb",
                       "rmsprop_bnb_8bit",
                       "rmsprop_bnb_32bit",
                       "lomo",
                       "adalomo",
                       "grokadamw",
                       "schedule_free_radam",
                       "schedule_free_adamw",
                       "schedule_free_sgd",
                       "stable_adamw"},
                      "another rule than AdamW's, which is the one of this version of hone; use "
                      "adamw_torch or adamw_bf16, with a learning rate for AdamW");
  declare(to, "weight_decay", Kind::number, member<&T::weight_decay>(),
          "Decoupled weight decay; norms and biases have none.")
      .at_least(0);
  declare(to, "adam_beta1", Kind::number, member<&T::adam_beta1>(), "Decay of the first moment.")
      .at_least(0)
      .below(1);
  declare(to, "adam_beta2", Kind::number, member<&T::adam_beta2>(), "Decay of the second moment.")
      .at_least(0)
      .below(1);
  declare(to, "adam_epsilon", Kind::number, member<&T::adam_epsilon>(),
          "Added to the root of the second moment.")
      .at_least(0);
  declare(to, "max_grad_norm", Kind::number, member<&T::max_grad_norm>(),
          "Gradients of a larger norm are scaled down to it; 0 or less: never.");
}

void declare_precision(Declarations& to) {
  using T = TrainingSettings;
  declare(to, "bf16", Kind::boolean, member<&T::bf16>(),
          "Compute in bf16 with f32 sums; trained weights keep an f32 master.");
  declare(to, "compute_type", Kind::choice, member<&T::compute_type>(),
          "Another way to write the precision: bf16 is bf16: true, fp32 is bf16: false.")
      .choice("auto", static_cast<int>(ComputeType::automatic))
      .choice("bf16", static_cast<int>(ComputeType::bfloat16))
      .choice("bfloat16", static_cast<int>(ComputeType::bfloat16))
      .choice("fp32", static_cast<int>(ComputeType::float32))
      .choice("float32", static_cast<int>(ComputeType::float32))
      .refuse_choices({"fp16", "float16"},
                      "fp16 is not computed on CPUs, and overflows easily elsewhere; use bf16")
      .also_named("compute_dtype");
}

void declare_occasions(Declarations& to) {
  using T = TrainingSettings;
  const auto strategy = [&to](const char* name, Storage storage, const char* help) -> Declaration& {
    return declare(to, name, Kind::choice, storage, help)
        .choice("no", static_cast<int>(Strategy::no))
        .choice("steps", static_cast<int>(Strategy::steps))
        .choice("epoch", static_cast<int>(Strategy::epoch));
  };
  strategy("logging_strategy", member<&T::logging_strategy>(), "When to log.");
  declare(to, "logging_steps", Kind::amount, member<&T::logging_steps>(),
          "Steps between log lines; below 1: a share of all steps.")
      .at_least(0);
  declare(to, "logging_first_step", Kind::boolean, member<&T::logging_first_step>(),
          "Log the first step too.");
  strategy("save_strategy", member<&T::save_strategy>(), "When to save a checkpoint.")
      .refuse_choices({"best"}, "not in this version of hone; use no, steps or epoch");
  declare(to, "save_steps", Kind::amount, member<&T::save_steps>(),
          "Steps between checkpoints; below 1: a share of all steps.")
      .at_least(0);
  declare(to, "save_total_limit", Kind::whole, member<&T::save_total_limit>(),
          "Keep this many checkpoints, the newest; null, 0 or less: all.");
  declare(to, "save_only_model", Kind::boolean, member<&T::save_only_model>(),
          "Leave out of checkpoints what resuming needs.");
  strategy("eval_strategy", member<&T::eval_strategy>(), "When to evaluate.")
      .also_named("evaluation_strategy");
  declare(to, "eval_steps", Kind::amount, member<&T::eval_steps>(),
          "Steps between evaluations; below 1: a share of all steps.")
      .at_least(0)
      .default_shown_as("logging_steps");
  declare(to, "eval_on_start", Kind::boolean, member<&T::eval_on_start>(),
          "Evaluate before the first step.");
  declare(to, "metric_for_best_model", Kind::text, member<&T::metric_for_best_model>(),
          "What reduce_lr_on_plateau follows, e.g. NAME_loss where eval_on_each_dataset is true.")
      .default_shown_as("loss");
}

void declare_ranks(Declarations& to) {
  declare(
      to, "ddp_timeout", Kind::whole, member<&TrainingSettings::ddp_timeout>(),
      "Seconds that a rank waits for the others within one exchange. A rank that dies is noticed "
      "at once, whatever this says.")
      .at_least(1);
}

void declare_reports(Declarations& to) {
  using T = TrainingSettings;
  declare(to, "report_to", Kind::choice, member<&T::report_to>(),
          "Who gets the figures; all: TensorBoard. trainer_log.jsonl and report.html are written "
          "always.")
      .choice("none", static_cast<int>(ReportTo::none))
      .choice("tensorboard", static_cast<int>(ReportTo::tensorboard))
      .choice("all", static_cast<int>(ReportTo::tensorboard))
      .refuse_choices({"azure_ml", "clearml", "codecarbon", "comet_ml", "dagshub", "dvclive",
                       "flyte", "mlflow", "neptune", "swanlab", "trackio", "wandb"},
                      "a service that hone does not send figures to; write tensorboard, or none: "
                      "trainer_log.jsonl and report.html hold the figures");
  declare(to, "logging_dir", Kind::path, member<&T::logging_dir>(),
          "Folder of TensorBoard's files; null: a folder of its own in runs of output_dir.");
  declare(to, "run_name", Kind::text, member<&T::run_name>(), "Name of the run.");
  declare(to, "include_num_input_tokens_seen", Kind::choice,
          member<&T::include_num_input_tokens_seen>(),
          "Log the tokens seen so far. hone never pads, so all and non_padding are one.")
      .choice("no", static_cast<int>(TokensSeen::no))
      .choice("all", static_cast<int>(TokensSeen::all))
      .choice("non_padding", static_cast<int>(TokensSeen::non_padding))
      .means_if_true("all");
  declare(to, "disable_tqdm", Kind::boolean, member<&T::disable_tqdm>(),
          "No progress bar; null: a bar on terminals only.");
}

}  // namespace

void declare_training(Declarations& declarations) {
  declare_run(declarations);
  declare_batches(declarations);
  declare_optimizer(declarations);
  declare_precision(declarations);
  declare_occasions(declarations);
  declare_ranks(declarations);
  declare_reports(declarations);
}

}  // namespace hone::config
