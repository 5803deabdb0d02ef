// DeepSpeed's configuration: what it asks for, and whether it agrees with the settings. `auto` as
// transformers resolves it (integrations/deepspeed): the setting's own value.
#include <cmath>

#include <fmt/format.h>

#include "config/sharding/deepspeed_keys.h"
#include "config/sharding/option_keys.h"
#include "config/sharding/read_sharding.h"

namespace hone::config {
namespace {

constexpr const char* kOptimizerOffload = "zero_optimization.offload_optimizer";
constexpr const char* kParameterOffload = "zero_optimization.offload_param";

class DeepSpeedReader {
 public:
  DeepSpeedReader(const ShardingContext& context, const std::string& text)
      : context_(context),
        s(context.result.settings),
        file_(deepspeed_keys(), mapping_name(context.result, "deepspeed", text),
              context.allow_unknown) {}

  ZeroOptions read(const formats::Value& root) {
    file_.read(root, context_.faults, context_.result.notices);
    compare_batches();
    compare_precision();
    compare_optimizer();
    compare_schedule();
    ZeroOptions zero;
    zero.source = describe_setting(context_.result, "deepspeed");
    zero.stage = stage();
    zero.optimizer = offload(kOptimizerOffload, "zero_optimization.cpu_offload");
    zero.parameters = offload(kParameterOffload, "zero_optimization.cpu_offload_param");
    if (file_.boolean("zero_optimization.cpu_offload_params").value_or(false)) {
      zero.parameters.to = OffloadTo::host;
    }
    check_offload(zero);
    zero.gather_weights_on_save = gathers();
    return zero;
  }

 private:
  void refuse(const std::string& path, std::string found, std::string remedy) {
    context_.faults.add({file_.describe(path), std::move(found), std::move(remedy)});
  }

  std::string either() const {
    return fmt::format("write \"auto\" in {}, or the same value in both", file_.name());
  }

  // A contradiction: the file and a setting say different things.
  void differ(const std::string& path, const std::string& setting) {
    refuse(path, fmt::format("{} says otherwise", describe_setting(context_.result, setting)),
           either());
  }

  bool comparable(const std::string& setting) const { return context_.faulty.count(setting) == 0; }

  void compare(const std::string& path, const std::string& setting, double expected) {
    const std::optional<double> written = file_.number(path);
    if (written && *written != expected && comparable(setting)) differ(path, setting);
  }

  void compare_batches() {
    const TrainingSettings& t = s.training;
    compare("train_micro_batch_size_per_gpu", "per_device_train_batch_size",
            static_cast<double>(t.per_device_train_batch_size));
    compare("gradient_accumulation_steps", "gradient_accumulation_steps",
            static_cast<double>(t.gradient_accumulation_steps));
    compare("gradient_clipping", "max_grad_norm", t.max_grad_norm);
    const std::optional<std::int64_t> batch = file_.whole("train_batch_size");
    const std::int64_t own =
        context_.ranks * t.per_device_train_batch_size * t.gradient_accumulation_steps;
    if (!batch || *batch == own || !comparable("per_device_train_batch_size") ||
        !comparable("gradient_accumulation_steps")) {
      return;
    }
    refuse("train_batch_size",
           fmt::format("{}: {} {} x per_device_train_batch_size {} x gradient_accumulation_steps "
                       "{}",
                       own, context_.ranks, context_.ranks == 1 ? "rank" : "ranks",
                       t.per_device_train_batch_size, t.gradient_accumulation_steps),
           either());
  }

  void compare_precision() {
    const bool own = s.training.compute_type == ComputeType::bfloat16;
    const std::optional<bool> bf16 = file_.boolean("bf16.enabled");
    if (bf16 && *bf16 != own && comparable("bf16") && comparable("compute_type")) {
      const bool pure = s.finetuning.pure_bf16 && !s.training.bf16;
      differ("bf16.enabled", pure ? "pure_bf16" : "bf16");
    }
    if (file_.boolean("fp16.enabled").value_or(false)) {
      refuse("fp16.enabled", "fp16, which is not computed on CPUs and overflows easily elsewhere",
             fmt::format("write \"auto\" or false in {}, and set bf16: true", file_.name()));
    }
  }

  void compare_optimizer() {
    if (!file_.has("optimizer")) return;
    const std::string type = file_.text("optimizer.type").value_or("");
    if (type != "AdamW" && type != "Adam") {
      refuse("optimizer.type", "an optimizer that is not in this version",
             fmt::format("remove the block optimizer from {}, and set optim", file_.name()));
    } else if (s.training.optim != OptimizerKind::adamw && comparable("optim")) {
      differ("optimizer.type", "optim");
    }
    compare("optimizer.params.lr", "learning_rate", s.training.learning_rate);
    compare("optimizer.params.eps", "adam_epsilon", s.training.adam_epsilon);
    compare("optimizer.params.weight_decay", "weight_decay", s.training.weight_decay);
    const std::string betas = "optimizer.params.betas";
    if (!file_.has(betas) || file_.is_auto(betas)) return;
    const std::vector<double> written = file_.numbers(betas);
    if (written.size() != 2) {
      refuse(betas, "not two numbers", "write two numbers, such as [0.9, 0.999], or \"auto\"");
      return;
    }
    if (written[0] != s.training.adam_beta1 && comparable("adam_beta1")) {
      differ(betas, "adam_beta1");
    }
    if (written[1] != s.training.adam_beta2 && comparable("adam_beta2")) {
      differ(betas, "adam_beta2");
    }
  }

  void compare_schedule() {
    if (!file_.has("scheduler")) return;
    const std::string type = file_.text("scheduler.type").value_or("");
    const bool decays = type == "WarmupDecayLR";
    const std::string remove =
        fmt::format("remove the block scheduler from {}, and set lr_scheduler_type", file_.name());
    if (!decays && type != "WarmupLR") {
      refuse("scheduler.type", "a schedule that is not in this version", remove);
      return;
    }
    const ScheduleKind expected =
        decays ? ScheduleKind::linear : ScheduleKind::constant_with_warmup;
    if (s.training.lr_scheduler_type != expected && comparable("lr_scheduler_type")) {
      refuse(
          "scheduler.type",
          fmt::format("{} says otherwise", describe_setting(context_.result, "lr_scheduler_type")),
          fmt::format("remove the block scheduler from {}, or set lr_scheduler_type: {}",
                      file_.name(), decays ? "linear" : "constant_with_warmup"));
    }
    // DeepSpeed's own default is a logarithmic warm-up.
    if (file_.text("scheduler.params.warmup_type").value_or("log") != "linear") {
      refuse("scheduler.params.warmup_type",
             "a warm-up that rises with the logarithm of the step, DeepSpeed's default",
             fmt::format("write \"warmup_type\": \"linear\", or {}", remove));
    }
    if (file_.number("scheduler.params.warmup_min_lr").value_or(0.0) != 0.0) {
      refuse("scheduler.params.warmup_min_lr", "a warm-up that does not begin at 0",
             "write 0 or \"auto\"");
    }
    compare("scheduler.params.warmup_max_lr", "learning_rate", s.training.learning_rate);
    compare_steps("scheduler.params.total_num_steps", "max_steps",
                  static_cast<double>(s.training.max_steps), s.training.max_steps > 0);
    compare_steps("scheduler.params.warmup_num_steps", "warmup_steps", s.training.warmup_steps,
                  s.training.warmup_steps == 0.0 || s.training.warmup_steps >= 1.0);
  }

  // `known`: the setting is a number of steps, and not one that follows from the data.
  void compare_steps(const std::string& path, const std::string& setting, double expected,
                     bool known) {
    if (known) return compare(path, setting, expected);
    if (!file_.number(path) || !comparable(setting)) return;
    refuse(path, "a number of steps, where the settings leave it to the data",
           fmt::format("write \"auto\", or set {}", setting));
  }

  ZeroStage stage() {
    const std::string path = "zero_optimization.stage";
    const std::int64_t number = file_.whole(path).value_or(0);
    if (number >= 0 && number <= 3) return static_cast<ZeroStage>(number);
    refuse(path, "no such stage", "write 0, 1, 2 or 3");
    return ZeroStage::replicated;
  }

  Offload offload(const std::string& block, const std::string& old_name) {
    Offload offload;
    if (file_.boolean(old_name).value_or(false)) offload.to = OffloadTo::host;
    const std::string device = file_.text(block + ".device").value_or("none");
    if (device == "cpu") {
      offload.to = OffloadTo::host;
    } else if (device == "nvme") {
      offload.folder = file_.text(block + ".nvme_path").value_or("");
      if (!offload.folder.empty()) {
        offload.to = OffloadTo::disk;
      } else {
        refuse(block + ".device", "nvme, without the folder for it",
               fmt::format("write {}.nvme_path, a folder on a fast local disk", block));
      }
    } else if (device != "none") {
      refuse(block + ".device", "none of its choices", "write none, cpu or nvme");
    }
    return offload;
  }

  void check_offload(ZeroOptions& zero) {
    if (zero.optimizer.to != OffloadTo::device && zero.stage == ZeroStage::replicated) {
      refuse(kOptimizerOffload, "optimizer state elsewhere, at stage 0",
             "write \"stage\": 1, 2 or 3, or \"device\": \"none\"");
      zero.optimizer = {};
    }
    if (zero.parameters.to != OffloadTo::device && zero.stage != ZeroStage::parameters) {
      refuse(kParameterOffload,
             fmt::format("weights elsewhere, at stage {}", static_cast<int>(zero.stage)),
             "write \"stage\": 3, or \"device\": \"none\"");
      zero.parameters = {};
    }
  }

  bool gathers() const {
    const std::optional<bool> now =
        file_.boolean("zero_optimization.stage3_gather_16bit_weights_on_model_save");
    const std::optional<bool> before =
        file_.boolean("zero_optimization.stage3_gather_fp16_weights_on_model_save");
    return now.value_or(before.value_or(true));
  }

  const ShardingContext& context_;
  const Settings& s;
  OptionFile file_;
};

}  // namespace

ZeroOptions read_deepspeed(const ShardingContext& context) {
  const std::string text = *context.result.settings.sharding.deepspeed;
  return DeepSpeedReader(context, text).read(open_mapping(context.result, "deepspeed", text));
}

}  // namespace hone::config
