// The learning rate that the settings ask for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/settings/training.h"
#include "optimizers/learning_rate.h"
#include "optimizers/plateau.h"

namespace hone::assemble {

// Of reduce_lr_on_plateau, the constant rate that it begins with.
optimizers::LearningRateSchedule learning_rate_schedule(const config::TrainingSettings& training,
                                                        std::int64_t total_steps);

// Nothing for the other schedules.
std::optional<optimizers::PlateauOptions> plateau_options(const config::TrainingSettings& training);

// "eval_loss": the metric of evaluations that metric_for_best_model names.
std::string metric_followed(const config::TrainingSettings& training);

}  // namespace hone::assemble
