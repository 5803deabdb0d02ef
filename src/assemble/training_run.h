// A training run from settings to files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/planned_run.h"
#include "assemble/profile.h"
#include "assemble/run_environment.h"
#include "assemble/trained_state.h"
#include "checkpoint/folder_saver.h"
#include "checkpoint/model_files.h"
#include "checkpoint/output_folder.h"
#include "checkpoint/resume.h"
#include "formats/file_system.h"
#include "memory/arena.h"
#include "train/training_loop.h"

namespace hone::assemble {

class TrainingRun {
 public:
  // Checks the output folder, finds what to resume, plans. No memory is taken for the model yet.
  // Throws UserError.
  TrainingRun(const config::ReadResult& read, const RunEnvironment& environment);
  ~TrainingRun();
  TrainingRun(const TrainingRun&) = delete;
  TrainingRun& operator=(const TrainingRun&) = delete;

  const PlannedRun& planned() const { return *planned_; }

  // Takes the memory, loads, trains, writes everything. Throws UserError.
  RunOutcome run();

 private:
  // The folder and the checkpoint to go on from: found by the rank that writes them.
  void open_output();
  void open_shared_checkpoint(const std::string& shared);
  bool overwrites() const;
  bool is_writer() const {
    return environment_.ranks == nullptr || environment_.ranks->rank() == 0;
  }
  // What rank 0 finds, on all ranks.
  bool agreed(const std::string& name, const std::function<bool()>& find) const;

  RunOutcome nothing_left() const;
  RunOutcome train_and_save();
  // Runs the loop to its end and writes what belongs there.
  RunOutcome finish(train::TrainingLoop& loop, const report::LogHistory& history);
  train::LoopOptions options() const;
  checkpoint::FolderSaverOptions saver_options() const;
  void take_memory();
  train::ResumePoint resume_point();
  checkpoint::ModelFiles model_files() const;
  checkpoint::RunFacts facts() const;
  bool is_complete() const;
  void write_results(train::TrainingLoop& loop, const train::LoopResult& result,
                     const report::LogHistory& history, RunOutcome& outcome);
  void write_split(const std::string& split, const report::Metrics& metrics, double epoch);
  void write_text(const std::string& name, const std::string& text);
  std::string model_card(const report::Metrics& evaluation) const;
  const config::Settings& settings() const { return read_.settings; }

  const config::ReadResult& read_;
  RunEnvironment environment_;
  formats::PosixFileSystem system_;
  std::filesystem::path folder_;                      // output_dir
  std::unique_ptr<checkpoint::OutputFolder> output_;  // of the rank that writes
  std::optional<checkpoint::Checkpoint> checkpoint_;
  std::unique_ptr<PlannedRun> planned_;

  std::unique_ptr<Arena> arena_;
  std::unique_ptr<TrainedState> trained_;
  ops::OpContext ops_;
  std::unique_ptr<model::Walk> walk_;
  Profile profile_;
};

}  // namespace hone::assemble
