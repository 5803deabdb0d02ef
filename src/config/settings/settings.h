// Every setting that hone obeys, with its default. What a setting means, allows and is called is
// said once, in the declare_*.cpp beside these structs.
//
// Members have the settings' names. `completed` marks what read_settings fills in from other
// settings after reading; whoever receives Settings from it sees the completed values.
#pragma once

#include "config/settings/data.h"
#include "config/settings/export.h"
#include "config/settings/fetched.h"
#include "config/settings/finetuning.h"
#include "config/settings/generation.h"
#include "config/settings/machine.h"
#include "config/settings/model.h"
#include "config/settings/planning.h"
#include "config/settings/sharding.h"
#include "config/settings/training.h"
#include "config/zero_options.h"

namespace hone::config {

struct Settings {
  ModelSettings model;
  DataSettings data;
  FinetuningSettings finetuning;
  TrainingSettings training;
  GenerationSettings generation;
  ExportSettings export_to;
  MachineSettings machine;
  ShardingSettings sharding;
  PlanningSettings planning;
  ZeroOptions zero;  // completed: from deepspeed, or from fsdp and fsdp_config
  Fetched fetched;   // not by reading: by assemble/fetch.h
};

}  // namespace hone::config
