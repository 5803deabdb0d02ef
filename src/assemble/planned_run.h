// A run up to the point where memory is taken: everything that can be known before the first step.
// `hone plan` stops here, `hone train` goes on (assemble/training_run.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/machine.h"
#include "assemble/model_source.h"
#include "assemble/rank_session.h"
#include "assemble/training_data.h"
#include "assemble/training_plan.h"
#include "base/log_sink.h"
#include "config/reading/read_settings.h"
#include "model/adapters/merged_weights.h"
#include "model/adapters/peft_adapter.h"

namespace hone::assemble {

struct PlanningOptions {
  bool weights_optional = false;          // a plan can be made from config.json alone
  std::filesystem::path data_cache = {};  // see RunEnvironment
  OpenMachine open_machine = open_wanted_machine;
  RankSession* ranks = nullptr;  // null: the run has one rank
};

class PlannedRun {
 public:
  // Opens the model, loads and encodes the data, plans the memory. Throws UserError with all that
  // is wrong with model and data. Notes and warnings go to `log`, which must outlive the run.
  PlannedRun(const config::ReadResult& read, const PlanningOptions& options, LogSink& log);
  PlannedRun(const PlannedRun&) = delete;
  PlannedRun& operator=(const PlannedRun&) = delete;

  const config::Settings& settings() const { return read_.settings; }

  // What will happen, in lines: device, model, what is trained, data, steps.
  std::vector<std::string> summary() const;
  // The memory table with its verdict and, if it does not fit, what would help.
  std::string memory_table() const;
  // Throws UserError when the run does not fit.
  void refuse_if_too_large() const;

  ModelSource source;
  Machine machine;
  std::unique_ptr<model::Decoder> decoder;
  std::unique_ptr<model::WeightFiles> promised;  // in the place of source.weights, if it has none
  // Adapters that are merged into the base, in their order, and the one that training goes on with.
  std::vector<std::unique_ptr<model::WeightFiles>> merged;
  std::optional<model::PeftAdapter> continued;
  std::optional<model::LoraOptions> lora;  // what the adapters were placed with
  std::optional<TrainingData> data;        // none when only a configuration was there
  std::unique_ptr<TrainingPlan> plan;

  const model::WeightFiles& weight_files() const {
    if (!merged.empty()) return *merged.back();
    return promised ? *promised : *source.weights;
  }

 private:
  void settle();
  void compare_data() const;
  std::size_t memory_bytes() const;
  std::string memory_source() const;
  void check_offload(FaultList& faults) const;
  void open_data(const PlanningOptions& options, FaultList& faults);
  void open_weights();
  void open_adapters();
  DataSizes data_sizes() const;
  std::vector<std::string> remedies() const;

  const config::ReadResult& read_;
  LogSink& log_;
  RankSession* ranks_;
  std::unique_ptr<parallel::Transport> alone_;
};

}  // namespace hone::assemble
