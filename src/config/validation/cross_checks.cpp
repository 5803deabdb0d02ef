#include "config/validation/cross_checks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "config/reading/device_list.h"
#include "config/settings/probabilities.h"

namespace hone::config {
namespace {

// val_size up to this is no split (LLaMA-Factory's limit).
constexpr double kNoSplit = 1e-6;

class Checker {
 public:
  explicit Checker(const CheckContext& context) : context_(context), s(context.result.settings) {}

  void check() {
    check_model();
    check_device();
    if (context_.command == Command::train || context_.command == Command::plan) {
      if (!s.planning.devices) check_work();
      check_planning();
      check_evaluation();
      check_labels();
      check_mixing();
      check_packing();
      check_streaming();
      check_schedule();
      check_occasions();
      check_precision();
    }
    check_lora();
    if (context_.command == Command::export_model) {
      need("export_dir", !s.export_to.export_dir, "no folder to write to",
           "set export_dir to the folder for the merged model");
    }
  }

 private:
  void check_device() {
    const bool several = s.machine.device.find(',') != std::string::npos;
    refuse({"device"}, !parse_device(s.machine.device),
           several ? "several devices are not in this version" : "no such device",
           several ? "name one of them" : "set auto, cpu, gpu, or one of several GPUs: gpu:1");
  }

  // A fault about the first of the names, unless one of them is faulty already.
  void refuse(const std::vector<std::string>& names, bool condition, std::string found,
              std::string remedy) {
    if (!condition) return;
    for (const std::string& name : names) {
      if (context_.faulty.count(name) != 0) return;
    }
    std::string asked;
    for (const std::string& name : names) {
      if (!asked.empty()) asked += ", ";
      asked += describe_setting(context_.result, name);
    }
    context_.faults.add({std::move(asked), std::move(found), std::move(remedy)});
  }

  void need(const std::string& name, bool condition, std::string found, std::string remedy) {
    if (!condition || context_.faulty.count(name) != 0) return;
    context_.faults.add({fmt::format("{} (not given)", name), std::move(found), std::move(remedy)});
  }

  bool wants_evaluation() const {
    return s.training.do_eval || s.training.eval_on_start ||
           s.training.eval_strategy != Strategy::no;
  }

  void check_model() {
    need("model_name_or_path", s.model.model_name_or_path.empty(), "no model",
         "set model_name_or_path to the model's folder, or to its GGUF file");
  }

  void check_planning() {
    refuse({"devices"}, s.planning.devices && !parse_device_list(*s.planning.devices),
           "not a list of devices",
           "write how many and which, e.g. 8xMI300X, 2x8xMI300X, 8xgfx942:192GiB or 8x80GiB");
    for (const std::string& what : s.planning.offload) {
      refuse({"offload"}, what != "optimizer" && what != "parameters", "none of its choices",
             "write optimizer, or optimizer,parameters");
    }
    refuse({"zero_stage"}, s.planning.zero_stage && !s.planning.devices,
           "a stage, and no devices to share out the model among",
           "set devices too, e.g. 8xMI300X or 4xcpu");
    const std::int64_t stage = s.planning.zero_stage.value_or(0);
    const bool parameters = asks_offload("parameters");
    refuse({"offload", "zero_stage"}, !s.planning.offload.empty() && stage == 0,
           "something elsewhere, where nothing is shared out", "set zero_stage: 1, 2 or 3");
    refuse({"offload", "zero_stage"}, parameters && stage != 0 && stage != 3,
           "weights elsewhere, where they are not shared out", "set zero_stage: 3");
  }

  bool asks_offload(const char* what) const {
    const std::vector<std::string>& offload = s.planning.offload;
    return std::find(offload.begin(), offload.end(), what) != offload.end();
  }

  void check_work() {
    if (context_.faulty.count("do_eval") == 0) {
      need("do_train",
           !s.training.do_train && !s.training.do_eval && s.training.eval_strategy == Strategy::no,
           "neither training nor evaluation is asked for",
           "set do_train: true, or do_eval: true to evaluate without training");
    }
    need("dataset", s.training.do_train && s.data.dataset.empty(), "no data to train on",
         "set dataset to one or more names in dataset_info.json");
    refuse({"max_steps"}, s.training.max_steps == 0, "a run of no steps",
           "write the number of steps, or -1 for as many as num_train_epochs takes");
  }

  void check_evaluation() {
    const DataSettings& data = s.data;
    refuse({"val_size", "eval_dataset"}, data.val_size > kNoSplit && !data.eval_dataset.empty(),
           "two sources of records for evaluation", "keep one of the two");
    need("dataset", data.val_size > kNoSplit && data.dataset.empty() && !s.training.do_train,
         "val_size, but no data to set records apart from",
         "set dataset, or eval_dataset in place of val_size");
    refuse({"val_size"}, data.val_size > 0 && data.val_size <= kNoSplit,
           "a fraction that holds no record", "write 0 for no split, or a larger fraction");
    refuse({"val_size"}, data.val_size >= 1 && std::trunc(data.val_size) != data.val_size,
           "a number of records that is not whole", "write a fraction below 1 or a whole number");
    refuse({"val_size"}, data.val_size == 1.0, "neither a fraction nor several records",
           "write a fraction below 1 or a number of records above 1");
    const char* asking = s.training.eval_strategy != Strategy::no ? "eval_strategy"
                         : s.training.do_eval                     ? "do_eval"
                                                                  : "eval_on_start";
    if (context_.faulty.count("eval_dataset") + context_.faulty.count("val_size") != 0) return;
    refuse({asking}, wants_evaluation() && data.eval_dataset.empty() && data.val_size <= kNoSplit,
           "nothing to evaluate on",
           "set val_size to set records apart, e.g. 0.1, or eval_dataset");
  }

  void check_labels() {
    refuse({"mask_history", "train_on_prompt"}, s.data.mask_history && s.data.train_on_prompt,
           "labels on the last answer alone, and labels on everything", "keep one of the two");
    const bool pretrains = s.finetuning.stage == Stage::pt;
    const char* remedy = "leave it out: every token of a text is learned, but padding";
    refuse({"train_on_prompt", "stage"}, pretrains && s.data.train_on_prompt,
           "texts, which have no prompts", remedy);
    refuse({"mask_history", "stage"}, pretrains && s.data.mask_history,
           "texts, which have no turns", remedy);
  }

  void check_mixing() {
    const DataSettings& data = s.data;
    if (data.interleave_probs.empty()) return;
    if (data.mix_strategy == MixStrategy::concat) {
      return refuse({"interleave_probs", "mix_strategy"}, true,
                    "shares for a mix by turns, and data sets one after another",
                    "set mix_strategy: interleave_under or interleave_over, or leave it out");
    }
    const std::string fault = fault_of_probabilities(data.interleave_probs);
    refuse({"interleave_probs"}, !fault.empty(), fault,
           "give every data set a share from 0 to 1, 1 in all");
    const auto wrong_number = [&](const std::vector<std::string>& sets) {
      return !sets.empty() && sets.size() != data.interleave_probs.size();
    };
    refuse({"interleave_probs", "dataset"}, wrong_number(data.dataset),
           fmt::format("{} shares for {} data sets", data.interleave_probs.size(),
                       data.dataset.size()),
           "give one share for each data set");
    refuse({"interleave_probs", "eval_dataset"}, wrong_number(data.eval_dataset),
           fmt::format("{} shares for {} data sets", data.interleave_probs.size(),
                       data.eval_dataset.size()),
           "give one share for each data set");
  }

  void check_packing() {
    const bool pretrains = s.finetuning.stage == Stage::pt;
    refuse({"neat_packing", "stage"}, pretrains && s.data.neat_packing,
           "texts are cut into blocks, in which nothing is kept apart",
           "leave neat_packing out, or set packing: false for each text by itself");
    const bool packs = s.data.packing.value_or(false) || s.data.neat_packing;
    refuse({"cutoff_len", s.data.neat_packing ? "neat_packing" : "packing"},
           packs && s.data.cutoff_len <= 1,
           "packing takes one token of cutoff_len, and none is left", "set a larger cutoff_len");
  }

  void check_streaming() {
    const DataSettings& data = s.data;
    if (!data.streaming) return;
    refuse({"streaming", "max_steps"}, s.training.do_train && s.training.max_steps < 0,
           "a stream whose length is not known, and no number of steps",
           "set max_steps, or leave streaming out: memory does not grow with the data either way");
    refuse({"streaming", "max_samples"}, data.max_samples.has_value(),
           "the first records of each data set, and a stream",
           "keep one of the two; a stream is read as far as max_steps need");
    refuse({"streaming", "val_size"}, data.val_size > kNoSplit && data.val_size < 1.0,
           "a fraction of a stream whose length is not known",
           "write the number of records to evaluate on");
  }

  void check_schedule() {
    refuse({"warmup_steps", "warmup_ratio"},
           s.training.warmup_steps > 0 && s.training.warmup_ratio.value_or(0) > 0,
           "two lengths of warm-up", "keep one of the two");
  }

  void check_occasions() {
    const TrainingSettings& training = s.training;
    const char* remedy = "write a number of steps, or set the strategy to no";
    refuse({"logging_steps"},
           training.logging_strategy == Strategy::steps && training.logging_steps == 0,
           "logging every 0 steps", remedy);
    refuse({"save_steps"}, training.save_strategy == Strategy::steps && training.save_steps == 0,
           "saving every 0 steps", remedy);
    refuse({"eval_steps"},
           training.eval_strategy == Strategy::steps && training.eval_steps.value_or(1) == 0 &&
               training.logging_steps == 0,
           "evaluating every 0 steps", remedy);
  }

  void check_precision() {
    refuse({"compute_type", s.training.bf16 ? "bf16" : "pure_bf16"},
           s.training.compute_type == ComputeType::float32 &&
               (s.training.bf16 || s.finetuning.pure_bf16),
           "two precisions", "keep one of the two");
    const auto& origins = context_.result.origins;
    refuse({"compute_type", "bf16"},
           s.training.compute_type == ComputeType::bfloat16 && !s.training.bf16 &&
               origins.count("bf16") != 0,
           "two precisions", "keep one of the two");
  }

  void check_lora() {
    const FinetuningSettings& tuning = s.finetuning;
    const bool full = tuning.finetuning_type == FinetuningType::full;
    refuse({"adapter_name_or_path", "finetuning_type"},
           full && !s.model.adapter_name_or_path.empty(), "an adapter without LoRA",
           "set finetuning_type: lora, or leave the adapter out");
    refuse({"use_rslora", "finetuning_type"}, full && tuning.use_rslora,
           "a setting of LoRA without LoRA", "set finetuning_type: lora, or leave it out");
    const std::vector<std::string>& targets = tuning.lora_target;
    refuse({"lora_target"},
           targets.size() > 1 && std::find(targets.begin(), targets.end(), "all") != targets.end(),
           "all modules, and some of them", "write all, or the names alone");
  }

  const CheckContext& context_;
  const Settings& s;
};

}  // namespace

void check_combinations(const CheckContext& context) {
  Checker(context).check();
}

}  // namespace hone::config
