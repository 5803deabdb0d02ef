#include "config/validation/complete.h"

#include <fmt/format.h>

namespace hone::config {
namespace {

class Completer {
 public:
  Completer(Command command, ReadResult& result)
      : command_(command), result_(result), s(result.settings) {}

  void complete() {
    complete_lora();
    complete_packing();
    if (trains()) {
      complete_precision();
      complete_evaluation();
      complete_warmup();
      complete_device();
      if (!s.training.data_seed) {
        s.training.data_seed = s.training.seed;
        if (given("seed") && s.training.do_train) derive("data_seed", "as seed");
      }
    }
    note_idle();
  }

 private:
  bool trains() const { return command_ == Command::train || command_ == Command::plan; }
  bool given(const std::string& name) const { return result_.origins.count(name) != 0; }

  void derive(const std::string& name, std::string place) {
    Origin& origin = result_.origins[name];
    if (!origin.written.empty()) {
      origin.replaced.push_back(fmt::format("{} ({})", origin.written, origin.place));
    }
    origin.source = Source::derived;
    origin.place = std::move(place);
    origin.written.clear();
  }

  void complete_lora() {
    FinetuningSettings& tuning = s.finetuning;
    // LLaMA-Factory's rule: whatever is not above 0 becomes twice the rank.
    if (tuning.lora_alpha.value_or(0) != 0) return;
    tuning.lora_alpha = 2 * tuning.lora_rank;
    if (trains() && s.training.do_train && tuning.finetuning_type == FinetuningType::lora) {
      derive("lora_alpha", "twice lora_rank");
    }
  }

  // LLaMA-Factory takes one token from cutoff_len where packing is asked for, and none where it is
  // the default of stage pt.
  void complete_packing() {
    DataSettings& data = s.data;
    const bool pretrains = s.finetuning.stage == Stage::pt;
    if (data.neat_packing && !data.packing.value_or(false)) {
      data.packing = true;
      if (trains()) derive("packing", "since neat_packing is true");
    }
    if (data.packing.value_or(false)) {
      if (!trains() || data.cutoff_len <= 1) return;
      --data.cutoff_len;
      derive("cutoff_len", "one less, as packing is true");
    } else if (!data.packing) {
      data.packing = pretrains;
      if (trains() && pretrains) derive("packing", "since stage is pt");
    }
  }

  void complete_precision() {
    TrainingSettings& training = s.training;
    if (training.compute_type == ComputeType::bfloat16 && !training.bf16) {
      training.bf16 = true;
      derive("bf16", fmt::format("from compute_type, {}", result_.origins["compute_type"].place));
      note(fmt::format("compute_type: {} is read as bf16: true",
                       result_.origins["compute_type"].written));
    } else if (training.compute_type == ComputeType::float32) {
      note(fmt::format("compute_type: {} is read as bf16: false",
                       result_.origins["compute_type"].written));
    }
    if (training.bf16 || s.finetuning.pure_bf16) training.compute_type = ComputeType::bfloat16;
  }

  void complete_evaluation() {
    TrainingSettings& training = s.training;
    if (training.eval_strategy != Strategy::no && !training.do_eval) {
      training.do_eval = true;
      derive("do_eval", "since eval_strategy is not no");
    }
    if (training.eval_steps.value_or(0) == 0) {
      training.eval_steps = training.logging_steps;
      if (training.do_train && training.eval_strategy == Strategy::steps)
        derive("eval_steps", "as logging_steps");
    }
  }

  void complete_warmup() {
    TrainingSettings& training = s.training;
    if (training.warmup_ratio.value_or(0) <= 0) return;
    // A ratio of 1 is all steps; as an amount it would be one step.
    training.warmup_steps = std::min(*training.warmup_ratio, kAllButOne);
  }

  void complete_device() {
    if (!s.training.use_cpu || s.machine.device == "cpu") return;
    s.machine.device = "cpu";
    derive("device", "from use_cpu");
  }

  // Says of settings that were given why they have no say in this run.
  void note_idle(const std::vector<std::string>& names, bool idle, const std::string& why) {
    if (!idle) return;
    for (const std::string& name : names) {
      const auto origin = result_.origins.find(name);
      if (origin == result_.origins.end() || origin->second.source == Source::derived) continue;
      note(fmt::format("{} has no effect: {}", describe_setting(result_, name), why));
    }
  }

  void note_idle() {
    note_idle({"lora_rank", "lora_alpha", "lora_dropout", "lora_target", "additional_target",
               "create_new_adapter"},
              s.finetuning.finetuning_type == FinetuningType::full,
              "finetuning_type is full, which trains the whole model");
    note_idle({"temperature", "top_p", "top_k"}, !s.generation.do_sample,
              "do_sample is false, so the likeliest token is taken");
    note_idle(
        {"seed"},
        command_ == Command::chat && (!s.generation.do_sample || s.generation.temperature == 0.0),
        "nothing is drawn, the likeliest token is taken");
    note_idle({"preprocessing_num_workers", "preprocessing_batch_size"},
              !s.data.packing.value_or(false),
              "records are prepared in parallel on all of `threads`; only packing depends on it");
    note_idle({"buffer_size"}, !s.data.streaming, "streaming is false, so all are shuffled");
    note_idle({"max_length"}, s.generation.max_new_tokens > 0, "max_new_tokens is set");
    note_idle({"export_dir", "export_size", "export_device"}, command_ != Command::export_model,
              "only `hone export` exports");
    if (!trains()) return;
    const TrainingSettings& training = s.training;
    note_idle({"logging_dir"}, training.report_to == ReportTo::none,
              "report_to is none, so TensorBoard gets no files");
    if (!training.do_train) {
      note_without_training();
      return;
    }
    note_idle({"num_train_epochs"}, training.max_steps > 0, "max_steps is set");
    note_idle({"warmup_steps", "warmup_ratio"},
              training.lr_scheduler_type == ScheduleKind::constant,
              "lr_scheduler_type constant has no warm-up; constant_with_warmup has");
    const bool plateau = training.lr_scheduler_type == ScheduleKind::reduce_lr_on_plateau;
    note_idle({"warmup_steps", "warmup_ratio"}, plateau,
              "lr_scheduler_type reduce_lr_on_plateau has no warm-up");
    note_idle({"metric_for_best_model"}, !plateau,
              "lr_scheduler_type reduce_lr_on_plateau alone follows it");
    note_idle({"logging_steps"}, training.logging_strategy != Strategy::steps,
              "logging_strategy is not steps");
    note_idle({"save_steps"}, training.save_strategy != Strategy::steps,
              "save_strategy is not steps");
    note_idle({"eval_steps"}, training.eval_strategy != Strategy::steps,
              "eval_strategy is not steps");
    note_idle({"data_seed"}, s.finetuning.disable_shuffling, "disable_shuffling is true");
  }

  // One note for all: a configuration that trained is often run again to evaluate.
  void note_without_training() {
    std::string names;
    for (const char* name : {"additional_target",
                             "adam_beta1",
                             "adam_beta2",
                             "adam_epsilon",
                             "create_new_adapter",
                             "data_seed",
                             "disable_shuffling",
                             "eval_on_start",
                             "eval_steps",
                             "gradient_accumulation_steps",
                             "include_num_input_tokens_seen",
                             "learning_rate",
                             "logging_first_step",
                             "logging_steps",
                             "logging_strategy",
                             "lora_alpha",
                             "lora_dropout",
                             "lora_rank",
                             "lora_target",
                             "lr_scheduler_kwargs",
                             "lr_scheduler_type",
                             "max_grad_norm",
                             "max_steps",
                             "metric_for_best_model",
                             "num_train_epochs",
                             "optim",
                             "overwrite_output_dir",
                             "per_device_train_batch_size",
                             "plot_loss",
                             "resume_from_checkpoint",
                             "save_only_model",
                             "save_steps",
                             "save_strategy",
                             "save_total_limit",
                             "use_rslora",
                             "warmup_ratio",
                             "warmup_steps",
                             "weight_decay"}) {
      const auto origin = result_.origins.find(name);
      if (origin == result_.origins.end() || origin->second.source == Source::derived) continue;
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
    // A plan of named devices is one of training, whatever is asked for.
    if (names.empty() || result_.settings.planning.devices) return;
    note(fmt::format("nothing is trained, as do_train is not true; so these have no effect: {}",
                     names));
  }

  void note(std::string text) { result_.notices.push_back({Severity::info, std::move(text)}); }
  void warn(std::string text) { result_.notices.push_back({Severity::warning, std::move(text)}); }

  // The largest f64 below 1.
  static constexpr double kAllButOne = 1.0 - 1.1102230246251565e-16;

  Command command_;
  ReadResult& result_;
  Settings& s;
};

}  // namespace

void complete(Command command, ReadResult& result) {
  Completer(command, result).complete();
}

}  // namespace hone::config
