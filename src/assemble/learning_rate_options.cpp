#include "assemble/learning_rate_options.h"

#include <algorithm>

namespace hone::assemble {
namespace {

using config::ScheduleKind;
using optimizers::LearningRateKind;
using optimizers::RateShape;

LearningRateKind kind_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::constant:
    case ScheduleKind::reduce_lr_on_plateau:
      return LearningRateKind::constant;
    case ScheduleKind::constant_with_warmup:
      return LearningRateKind::constant_with_warmup;
    case ScheduleKind::linear:
      return LearningRateKind::linear;
    case ScheduleKind::cosine:
      return LearningRateKind::cosine;
    case ScheduleKind::cosine_with_restarts:
      return LearningRateKind::cosine_with_restarts;
    case ScheduleKind::polynomial:
      return LearningRateKind::polynomial;
    case ScheduleKind::inverse_sqrt:
      return LearningRateKind::inverse_sqrt;
    case ScheduleKind::cosine_with_min_lr:
      return LearningRateKind::cosine_with_min_lr;
    case ScheduleKind::cosine_warmup_with_min_lr:
      return LearningRateKind::cosine_warmup_with_min_lr;
    case ScheduleKind::warmup_stable_decay:
      return LearningRateKind::warmup_stable_decay;
  }
  return LearningRateKind::linear;
}

RateShape shape_of(const std::string& word) {
  if (word == "cosine") return RateShape::cosine;
  return word == "1-sqrt" ? RateShape::one_minus_sqrt : RateShape::linear;
}

double floor_of(const config::TrainingSettings& training) {
  const config::ScheduleArguments& given = training.schedule;
  if (training.lr_scheduler_type == ScheduleKind::warmup_stable_decay) {
    return given.number("min_lr_ratio", 0.0);
  }
  // As a rate, or as a share of the peak. Of a peak of 0 every share is the same.
  const std::optional<double> rate = given.given("min_lr");
  if (rate && training.learning_rate > 0) return *rate / training.learning_rate;
  return given.number("min_lr_rate", 0.0);
}

std::int64_t steps(const config::ScheduleArguments& given, const char* name,
                   std::int64_t otherwise) {
  return static_cast<std::int64_t>(given.number(name, static_cast<double>(otherwise)));
}

}  // namespace

optimizers::LearningRateSchedule learning_rate_schedule(const config::TrainingSettings& training,
                                                        std::int64_t total_steps) {
  const config::ScheduleArguments& given = training.schedule;
  optimizers::LearningRateSchedule schedule;
  schedule.kind = kind_of(training.lr_scheduler_type);
  schedule.base = training.learning_rate;
  schedule.warmup_steps = config::steps_of(training.warmup_steps, total_steps);
  schedule.total_steps = total_steps;
  const bool restarts = training.lr_scheduler_type == ScheduleKind::cosine_with_restarts;
  schedule.cycles = given.number("num_cycles", restarts ? 1.0 : 0.5);
  schedule.power = given.number("power", schedule.power);
  schedule.end = given.number("lr_end", schedule.end);
  schedule.timescale = given.number("timescale", schedule.warmup_steps > 0
                                                     ? static_cast<double>(schedule.warmup_steps)
                                                     : schedule.timescale);
  schedule.floor = floor_of(training);
  schedule.warmup_floor = given.given("warmup_lr_rate");
  // LLaMA-Factory's rule: each by itself, whatever the other is.
  const std::int64_t rest = std::max<std::int64_t>(total_steps - schedule.warmup_steps, 0);
  schedule.stable_steps = steps(given, "num_stable_steps", rest / 3);
  schedule.decay_steps = steps(given, "num_decay_steps", rest - rest / 3);
  schedule.warmup_shape = shape_of(given.word("warmup_type", "linear"));
  schedule.decay_shape = shape_of(given.word("decay_type", "cosine"));
  return schedule;
}

std::optional<optimizers::PlateauOptions> plateau_options(
    const config::TrainingSettings& training) {
  if (training.lr_scheduler_type != ScheduleKind::reduce_lr_on_plateau) return std::nullopt;
  const config::ScheduleArguments& given = training.schedule;
  optimizers::PlateauOptions options;
  options.larger_is_better = given.word("mode", "min") == "max";
  options.factor = given.number("factor", options.factor);
  options.patience = steps(given, "patience", options.patience);
  options.threshold = given.number("threshold", options.threshold);
  options.relative = given.word("threshold_mode", "rel") == "rel";
  options.cooldown = steps(given, "cooldown", options.cooldown);
  options.least = given.number("min_lr", options.least);
  options.smallest_change = given.number("eps", options.smallest_change);
  return options;
}

std::string metric_followed(const config::TrainingSettings& training) {
  const std::string name = training.metric_for_best_model.value_or("loss");
  return name.rfind("eval_", 0) == 0 ? name : "eval_" + name;
}

}  // namespace hone::assemble
