// Settings as the options structs of the rooms below: where the settings object ends.
#pragma once

#include <memory>
#include <vector>

#include "assemble/machine.h"
#include "config/settings/settings.h"
#include "data/order/schedule.h"
#include "model/adapters/lora_placement.h"
#include "model/weights/resident_weights.h"
#include "optimizers/optimizer.h"
#include "report/log_history.h"
#include "train/training_loop.h"

namespace hone::assemble {

data::ScheduleOptions schedule_options(const config::Settings& settings, std::int64_t records,
                                       int ranks);
model::LoraOptions lora_options(const config::Settings& settings);
model::WeightPolicy weight_policy(const config::Settings& settings, const Machine& machine);
// `segments` of a state of so many elements.
std::unique_ptr<optimizers::Optimizer> make_optimizer(const config::Settings& settings,
                                                      std::vector<optimizers::Segment> segments,
                                                      std::int64_t elements);
report::LogCadence log_cadence(const config::Settings& settings, std::int64_t total_steps);
// Everything of the loop but counts of parameters and micro_step_tokens.
train::LoopOptions loop_options(const config::Settings& settings, std::int64_t total_steps);

}  // namespace hone::assemble
