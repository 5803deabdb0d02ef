#include "report/trainer_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "unit/report/recording.h"

namespace hone::report {
namespace {

Logged entry(std::int64_t step, std::int64_t total, double epoch, Metrics metrics,
             double elapsed_seconds, std::int64_t tokens = 0) {
  Logged logged;
  logged.entry = {step, epoch, std::move(metrics)};
  logged.total_steps = total;
  logged.tokens_seen = tokens;
  logged.elapsed_seconds = elapsed_seconds;
  return logged;
}

// The first line of a run of LLaMA-Factory 0.9.5 with include_num_input_tokens_seen.
TEST(TrainerLogLine, IsWhatLlamaFactoryWrites) {
  const Logged logged = entry(
      1, 30, 0.008, {{"loss", 1.3687095642089844}, {"grad_norm", 0.9}, {"learning_rate", 0.0}},
      22.368, 1480);
  EXPECT_EQ(
      trainer_log_line(logged, {0, 0, true}),
      "{\"current_steps\": 1, \"total_steps\": 30, \"loss\": 1.3687095642089844, \"lr\": 0.0, "
      "\"epoch\": 0.008, \"percentage\": 3.33, \"elapsed_time\": \"0:00:22\", "
      "\"remaining_time\": \"0:10:48\", \"throughput\": 66.17, \"total_tokens\": 1480}\n");
}

TEST(TrainerLogLine, WithoutTokenCountsHasNone) {
  const Logged logged =
      entry(10, 408, 0.07, {{"loss", 1.2345}, {"learning_rate", 2.2e-05}}, 10.02, 5000);
  EXPECT_EQ(trainer_log_line(logged, {}),
            "{\"current_steps\": 10, \"total_steps\": 408, \"loss\": 1.2345, \"lr\": 2.2e-05, "
            "\"epoch\": 0.07, \"percentage\": 2.45, \"elapsed_time\": \"0:00:10\", "
            "\"remaining_time\": \"0:06:38\"}\n");
}

TEST(TrainerLogLine, HasItsKeysInTheirOrder) {
  const Logged logged = entry(5, 10, 1.0,
                              {{"learning_rate", 0.001},
                               {"rewards/accuracies", 0.5},
                               {"reward", 0.25},
                               {"predict_loss", 3.0},
                               {"eval_loss", 2.0},
                               {"loss", 1.0},
                               {"eval_runtime", 9.0}},
                              5);
  EXPECT_EQ(trainer_log_line(logged, {}),
            "{\"current_steps\": 5, \"total_steps\": 10, \"loss\": 1.0, \"eval_loss\": 2.0, "
            "\"predict_loss\": 3.0, \"reward\": 0.25, \"accuracy\": 0.5, \"lr\": 0.001, "
            "\"epoch\": 1.0, \"percentage\": 50.0, \"elapsed_time\": \"0:00:05\", "
            "\"remaining_time\": \"0:00:05\"}\n");
}

TEST(TrainerLogLine, OfTheSummaryHasStepsAndTimesOnly) {
  const Logged logged =
      entry(30, 30, 3.0, {{"train_runtime", 83.4}, {"train_loss", 0.9}}, 86400 * 2 + 61);
  EXPECT_EQ(trainer_log_line(logged, {}),
            "{\"current_steps\": 30, \"total_steps\": 30, \"epoch\": 3.0, \"percentage\": 100.0, "
            "\"elapsed_time\": \"2 days, 0:01:01\", \"remaining_time\": \"0:00:00\"}\n");
}

TEST(TrainerLogLine, LeavesOutWhatIsNoNumberAndKeepsZero) {
  const Logged nothing = entry(1, 2, 0.5, {{"loss", Measured()}, {"learning_rate", 0.0}}, 1);
  EXPECT_EQ(trainer_log_line(nothing, {}).find("loss"), std::string::npos);
  const Logged bad = entry(1, 2, 0.5, {{"eval_loss", std::numeric_limits<double>::quiet_NaN()}}, 1);
  EXPECT_EQ(trainer_log_line(bad, {}).find("eval_loss"), std::string::npos);
  const Logged zero = entry(1, 2, 0.5, {{"loss", 0.0}}, 1);
  EXPECT_NE(trainer_log_line(zero, {}).find("\"loss\": 0.0"), std::string::npos);
}

TEST(TrainerLogLine, OfNoStepsAndNoTimeIsStillALine) {
  EXPECT_EQ(
      trainer_log_line(entry(0, 0, 0, {}, 0, 7), {0, 0, true}),
      "{\"current_steps\": 0, \"total_steps\": 0, \"epoch\": 0.0, \"percentage\": 100.0, "
      "\"elapsed_time\": \"0:00:00\", \"remaining_time\": \"0:00:00\", \"total_tokens\": 7}\n");
}

TEST(TrainerLogLine, OfAResumedRunCountsThisProcessOnly) {
  const Logged logged = entry(15, 20, 1.5, {{"loss", 1.0}}, 10, 1500);
  const std::string line = trainer_log_line(logged, {10, 1000, true});
  EXPECT_NE(line.find("\"remaining_time\": \"0:00:10\""), std::string::npos) << line;
  EXPECT_NE(line.find("\"throughput\": 50.0, \"total_tokens\": 1500}"), std::string::npos) << line;
}

std::string line(int step) {
  return "{\"current_steps\": " + std::to_string(step) + ", \"total_steps\": 9}\n";
}

TEST(KeptLogBytes, WithoutAStepOnlyATornLineGoes) {
  EXPECT_EQ(kept_log_bytes("", -1), 0u);
  EXPECT_EQ(kept_log_bytes("{\"current", -1), 0u);
  const std::string whole = line(1) + line(2);
  EXPECT_EQ(kept_log_bytes(whole, -1), whole.size());
  EXPECT_EQ(kept_log_bytes(whole + "{\"current_st", -1), whole.size());
}

TEST(KeptLogBytes, LinesBeyondTheStepGo) {
  const std::string kept = line(1) + line(2) + line(2);
  EXPECT_EQ(kept_log_bytes(kept + line(3) + line(4) + "{\"c", 2), kept.size());
  EXPECT_EQ(kept_log_bytes(kept, 2), kept.size());
  EXPECT_EQ(kept_log_bytes(kept, 5), kept.size());
  EXPECT_EQ(kept_log_bytes(kept, 0), 0u);
}

TEST(KeptLogBytes, EarlierRunsStay) {
  const std::string kept = line(5) + line(9) + line(1) + line(2);
  EXPECT_EQ(kept_log_bytes(kept + line(3) + line(9), 2), kept.size());
  EXPECT_EQ(kept_log_bytes(kept, 2), kept.size());
}

TEST(KeptLogBytes, ForeignLinesAreNoSteps) {
  const std::string kept = "hello\n{}\n[1]\n{\"current_steps\": \"x\"}\n\n" + line(1);
  EXPECT_EQ(kept_log_bytes(kept + line(2) + "what\n", 1), kept.size());
  EXPECT_EQ(kept_log_bytes(std::string("\0\xff\n", 3) + line(1), 1), 3 + line(1).size());
}

// What a run writes last. One that is killed after it, and resumed, writes it again.
TEST(KeptLogBytes, TheSummaryOfARunThatGoesOnGoes) {
  const auto line_of = [](int step, Metrics metrics) {
    return trainer_log_line(entry(step, 9, 1.0, std::move(metrics), 1), {});
  };
  const std::string evaluated = line_of(9, {{"loss", 1.0}, {"learning_rate", 0.1}}) +
                                line_of(9, {{"eval_loss", 1.0}, {"eval_runtime", 2.0}});
  const std::string summary = line_of(9, {{"train_runtime", 83.4}, {"train_loss", 0.9}});
  EXPECT_EQ(kept_log_bytes(evaluated + summary, 9), evaluated.size());
  EXPECT_EQ(kept_log_bytes(evaluated + summary + summary, 9), evaluated.size());
  EXPECT_EQ(kept_log_bytes(evaluated + summary + summary.substr(0, 20), 9), evaluated.size());
  // A step without labels has a learning rate all the same.
  const std::string unlabelled = line_of(9, {{"loss", Measured()}, {"learning_rate", 0.0}});
  EXPECT_EQ(kept_log_bytes(unlabelled, 9), unlabelled.size());
  // That of an earlier run in the same file, and what another run then wrote, stay.
  const std::string earlier = evaluated + summary + line(1) + line(2);
  EXPECT_EQ(kept_log_bytes(earlier, 2), earlier.size());
  // A run that is only appended to keeps it.
  EXPECT_EQ(kept_log_bytes(evaluated + summary, -1), (evaluated + summary).size());
}

class TrainerLogFile : public testing::Test {
 protected:
  void run(TrainerLog::Start start, std::int64_t first_step, std::vector<int> steps) {
    TrainerLog log(file_, start, false, sink_);
    RunStarted started;
    started.total_steps = 9;
    started.first_step = first_step;
    log.run_started(started);
    for (const int step : steps) log.logged(entry(step, 9, 0.5, {{"loss", 1.0}}, 1));
    log.run_finished({});
    log.logged(entry(99, 9, 0.5, {{"eval_loss", 1.0}}, 1));
  }

  std::vector<int> steps_in_file() const {
    std::vector<int> steps;
    std::istringstream lines(content(file_));
    for (std::string text; std::getline(lines, text);) {
      int step = 0;
      EXPECT_EQ(std::sscanf(text.c_str(), "{\"current_steps\": %d, ", &step), 1) << text;
      EXPECT_EQ(text.back(), '}');
      steps.push_back(step);
    }
    return steps;
  }

  TemporaryFolder folder_;
  std::string file_ = folder_.file("trainer_log.jsonl");
  RecordingLog sink_;
};

using Steps = std::vector<int>;

TEST_F(TrainerLogFile, HoldsTheLinesUntilTheRunEnds) {
  run(TrainerLog::Start::append, 0, {1, 2});
  EXPECT_EQ(steps_in_file(), (Steps{1, 2}));
  EXPECT_TRUE(sink_.lines.empty());
}

TEST_F(TrainerLogFile, IsAppendedToOrBegunAnew) {
  run(TrainerLog::Start::append, 0, {1, 2});
  put(file_, content(file_) + "{\"current_steps\": 3, \"to");
  run(TrainerLog::Start::append, 0, {1});
  EXPECT_EQ(steps_in_file(), (Steps{1, 2, 1}));
  run(TrainerLog::Start::anew, 0, {4});
  EXPECT_EQ(steps_in_file(), Steps{4});
}

TEST_F(TrainerLogFile, LosesTheLinesBeyondTheStepThatIsResumed) {
  run(TrainerLog::Start::append, 0, {1, 2, 3, 4});
  run(TrainerLog::Start::resume, 2, {3, 4, 5});
  EXPECT_EQ(steps_in_file(), (Steps{1, 2, 3, 4, 5}));
}

TEST_F(TrainerLogFile, HasEveryLineAtOnce) {
  TrainerLog log(file_, TrainerLog::Start::append, false, sink_);
  log.run_started(run_event(9));
  // A run that fails in its first step leaves no file.
  EXPECT_FALSE(std::filesystem::exists(file_));
  log.logged(entry(1, 9, 0.5, {}, 1));
  EXPECT_EQ(steps_in_file(), Steps{1});  // the log is still open
}

TEST_F(TrainerLogFile, ThatCannotBeWrittenCostsOneWarning) {
  file_ = folder_.file("nowhere/trainer_log.jsonl");
  run(TrainerLog::Start::append, 0, {1, 2, 3});
  ASSERT_EQ(sink_.lines.size(), 1u);
  EXPECT_EQ(sink_.lines[0], "warning: " + file_ +
                                ": cannot be written (No such file or directory). The run goes on "
                                "without it.");
}

TEST_F(TrainerLogFile, OnAFullDiskCostsOneWarning) {
  file_ = "/dev/full";
  run(TrainerLog::Start::anew, 0, {1, 2, 3});
  ASSERT_EQ(sink_.lines.size(), 1u);
  EXPECT_EQ(sink_.lines[0],
            "warning: /dev/full: cannot be written (No space left on device). The run goes on "
            "without it.");
}

}  // namespace
}  // namespace hone::report
