// Listeners, sinks and folders that the tests of this folder share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/log_sink.h"
#include "report/console.h"
#include "report/events.h"

namespace hone::report {

class RecordingLog : public LogSink {
 public:
  void line(Severity severity, std::string_view text) override {
    lines.push_back((severity == Severity::warning ? "warning: " : "") + std::string(text));
  }
  std::vector<std::string> lines;
};

class RecordingOutput : public TextOutput {
 public:
  void write(std::string_view text) override { written += text; }
  std::string written;
};

// Names of events in the order of their arrival, and the log entries.
class RecordingListener : public Listener {
 public:
  void run_started(const RunStarted&) override { names.push_back("run_started"); }
  void micro_step_finished(const MicroStepFinished&) override { names.push_back("micro_step"); }
  void step_finished(const StepFinished& e) override {
    names.push_back("step " + std::to_string(e.step));
  }
  void evaluation_progressed(const EvaluationProgressed&) override {
    names.push_back("evaluating");
  }
  void evaluation_finished(const EvaluationFinished&) override { names.push_back("evaluation"); }
  void logged(const Logged& e) override {
    names.push_back("logged " + std::to_string(e.entry.step));
    logs.push_back(e);
  }
  void checkpoint_saved(const CheckpointSaved&) override { names.push_back("saved"); }
  void run_finished(const RunFinished&) override { names.push_back("run_finished"); }
  void noted(const Noted&) override { names.push_back("noted"); }

  std::vector<std::string> names;
  std::vector<Logged> logs;
};

// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hone_report_XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string content(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

inline void put(const std::string& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

// A step of 100 tokens and one second.
inline StepFinished step_event(std::int64_t step, std::int64_t total, std::optional<double> loss) {
  StepFinished event;
  event.step = step;
  event.total_steps = total;
  event.epoch = 0.25 * static_cast<double>(step);
  event.loss = loss;
  event.grad_norm = 0.5;
  event.learning_rate = 5e-5;
  event.tokens = 100;
  event.label_tokens = 40;
  event.tokens_seen = 100 * step;
  event.micro_steps = 1;
  event.seconds = 1;
  event.elapsed_seconds = static_cast<double>(step);
  return event;
}

inline RunStarted run_event(std::int64_t total_steps) {
  RunStarted run;
  run.total_steps = total_steps;
  return run;
}

}  // namespace hone::report
