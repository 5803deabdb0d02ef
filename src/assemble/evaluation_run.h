// `hone train` with do_eval and without do_train: a model is measured, and nothing else is written
// than its numbers (eval_results.json, all_results.json), as LLaMA-Factory does.
#pragma once

#include <memory>

#include "assemble/planned_evaluation.h"
#include "assemble/run_environment.h"
#include "checkpoint/output_folder.h"
#include "formats/file_system.h"
#include "model/forward_backward/walk.h"
#include "report/log_entry.h"

namespace hone::assemble {

class EvaluationRun {
 public:
  // Checks the output folder, which may be that of the model or of its adapter, and plans. No
  // memory is taken for the model yet. Throws UserError. `read` must outlive the run.
  EvaluationRun(const config::ReadResult& read, const RunEnvironment& environment);

  const PlannedEvaluation& planned() const { return planned_; }

  // Takes the memory, loads, evaluates, writes the results. When a stop is wished between two
  // batches nothing is written. Throws UserError.
  RunOutcome run();

 private:
  // Tells the console; what it throws when a stop is wished is run()'s own.
  report::Metrics measure(model::Walk& walk) const;
  report::Metrics measure_set(const data::NamedRecords& set, model::Walk& walk) const;

  const config::ReadResult& read_;
  RunEnvironment environment_;
  formats::PosixFileSystem system_;
  checkpoint::OutputFolder output_;
  PlannedEvaluation planned_;
};

}  // namespace hone::assemble
