// Whole training runs in this process: settings as words, everything that happened recorded.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "assemble/training_run.h"
#include "kit/kit_data.h"
#include "kit/kit_model.h"
#include "unit/formats/temporary_folder.h"

namespace hone::kit {

class RecordingLog final : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override;
  // Whether some line, info or warning ("warning: ..."), holds this text.
  bool has(const std::string& part) const;
  std::vector<std::string> lines;
};

// Thrown through a run that dies.
struct Death {};

class RecordingListener final : public report::Listener {
 public:
  void step_finished(const report::StepFinished& event) override {
    if (event.step == dies_at) throw Death();
    steps.push_back(event);
  }
  void logged(const report::Logged& event) override { logs.push_back(event); }
  void checkpoint_saved(const report::CheckpointSaved& event) override {
    saves.push_back(event.step);
  }
  void evaluation_finished(const report::EvaluationFinished& event) override {
    evaluations.push_back(event);
  }

  std::vector<report::StepFinished> steps;
  std::vector<report::Logged> logs;
  std::vector<report::EvaluationFinished> evaluations;
  std::vector<std::int64_t> saves;
  std::int64_t dies_at = 0;
};

// What a run did, also one that ended by an error.
struct Session {
  RecordingLog log;
  RecordingListener events;
  std::vector<std::string> summary;  // of the plan
  std::string memory_table;
  std::size_t planned_bytes = 0;
  std::int64_t recomputed_blocks = 0;
  std::int64_t trainable_parameters = 0;
  std::vector<data::RecordSize> record_sizes;  // of the training data
  assemble::RunOutcome outcome;
  bool died = false;
  std::string error;  // what() of the UserError that ended it; empty: none

  const report::StepFinished& first() const { return events.steps.at(0); }
  std::vector<double> losses() const;  // of all steps; a step without one is NaN
  std::vector<double> gradient_norms() const;
};

// A folder with a model (MODEL), data (DATA) and results (RUN).
class Workshop {
 public:
  explicit Workshop(const ModelOptions& model = {}, const std::vector<Example>& data = data_ab());

  std::filesystem::path model() const { return place_.path() / "MODEL"; }
  std::filesystem::path data() const { return place_.path() / "DATA"; }
  std::filesystem::path results() const { return place_.path() / "RUN"; }
  const formats::TemporaryFolder& place() const { return place_; }

  // `hone train` with these settings (key=value) after the usual ones: full fine-tuning, one epoch
  // of batches of one record, a constant learning rate of 1e-30, each step logged, nothing saved.
  // `stop_after`: a wish to stop is seen after so many steps.
  std::unique_ptr<Session> run(const std::vector<std::string>& settings = {},
                               std::optional<int> stop_after = std::nullopt) const;

  // The same, but the run dies at this step.
  std::unique_ptr<Session> die(const std::vector<std::string>& settings, std::int64_t step) const;

  // The same up to the plan: nothing is trained.
  std::unique_ptr<Session> plan(const std::vector<std::string>& settings = {}) const;

  // The words of such a run.
  std::vector<std::string> words(const std::vector<std::string>& settings) const;

 private:
  formats::TemporaryFolder place_;
};

struct SessionOptions {
  std::string home = {};                         // for paths that begin with ~
  std::optional<int> stop_after = std::nullopt;  // a wish to stop is seen after so many steps
  bool plan_only = false;
  // The run dies, as by a kill, when this step was done and not yet logged; 0: never.
  std::int64_t dies_at = 0;
  assemble::OpenMachine open_machine = assemble::open_cpu_machine;
};

// `hone train` with exactly these words.
std::unique_ptr<Session> run_words(const std::vector<std::string>& words,
                                   const SessionOptions& options = {});

// Every tensor of a safetensors file, as f32, by name.
std::map<std::string, std::vector<float>> read_tensors(const std::filesystem::path& file);

// The bytes of a file that must be there and not be empty.
std::string bytes_of(const std::filesystem::path& file);

// Compares two files without showing their bytes.
testing::AssertionResult same_files(const std::filesystem::path& left,
                                    const std::filesystem::path& right);

}  // namespace hone::kit
