#include "report/tensorboard_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "report/event_record.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Logged entry(std::int64_t step, Metrics metrics) {
  Logged logged;
  logged.entry = {step, 0.5, std::move(metrics)};
  logged.total_steps = 10;
  return logged;
}

// Steps of all events of all files, in the order of the files' names.
std::vector<std::int64_t> steps_in(const std::string& folder) {
  std::vector<std::int64_t> steps;
  for (const std::string& file : files_below(folder)) {
    const std::string bytes = content(file);
    for (const FoundEvent& event : read_events(bytes)) {
      if (event.message.find("train/loss") != std::string_view::npos) steps.push_back(event.step);
    }
  }
  return steps;
}

class TensorBoardLogTest : public testing::Test {
 protected:
  // Each run a second later than the one before: files are named by time.
  void run(std::int64_t first_step, std::int64_t last_step, bool ends = false) {
    TensorBoardOptions options;
    options.output_dir = folder.path();
    options.logging_dir = logging_dir;
    options.resume = first_step > 0;
    options.wall_seconds = [this] { return time; };
    time += 1;
    TensorBoardLog tensorboard(options, log);
    RunStarted started = run_event(10);
    started.first_step = first_step;
    tensorboard.run_started(started);
    for (std::int64_t step = first_step + 1; step <= last_step; ++step) {
      tensorboard.logged(entry(step, {{"loss", 1.5}}));
    }
    if (ends) tensorboard.logged(entry(last_step, {{"train_runtime", 3.0}, {"train_loss", 1.5}}));
    used = tensorboard.folder();
  }

  TemporaryFolder folder;
  RecordingLog log;
  std::string logging_dir;
  std::string used;
  double time = 1700000000;
};

TEST(TensorBoardTag, IsTransformers) {
  EXPECT_EQ(tensorboard_tag("loss"), "train/loss");
  EXPECT_EQ(tensorboard_tag("learning_rate"), "train/learning_rate");
  EXPECT_EQ(tensorboard_tag("grad_norm"), "train/grad_norm");
  EXPECT_EQ(tensorboard_tag("train_runtime"), "train/train_runtime");
  EXPECT_EQ(tensorboard_tag("rewards/accuracies"), "train/rewards/accuracies");
  EXPECT_EQ(tensorboard_tag("eval_loss"), "eval/loss");
  EXPECT_EQ(tensorboard_tag("eval_alpaca_loss"), "eval/alpaca_loss");
  EXPECT_EQ(tensorboard_tag("evaluations"), "train/evaluations");
}

TEST_F(TensorBoardLogTest, LiesInRunsOfTheOutputFolder) {
  run(0, 3);
  EXPECT_EQ(fs::path(used).parent_path(), fs::path(folder.path()) / "runs");
  const std::vector<std::string> files = files_below(used);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(fs::path(files[0]).filename().string().rfind("events.out.tfevents.1700000001.", 0), 0u);
  EXPECT_EQ(steps_in(folder.path()), (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(TensorBoardLogTest, LiesInTheLoggingFolderWhereOneIsGiven) {
  logging_dir = folder.file("board/mine");
  run(0, 2);
  EXPECT_EQ(used, logging_dir);
  EXPECT_EQ(files_below(logging_dir).size(), 1u);
  EXPECT_FALSE(fs::exists(folder.file("runs")));
}

TEST_F(TensorBoardLogTest, HoldsNumbersOnlyAndTheEpoch) {
  TensorBoardOptions options;
  options.output_dir = folder.path();
  options.texts = {{"args", "{\"seed\": 1}"}};
  TensorBoardLog tensorboard(options, log);
  tensorboard.run_started(run_event(10));
  tensorboard.logged(entry(1, {{"loss", Measured()}, {"num_input_tokens_seen", std::int64_t{12}}}));
  const std::string bytes = content(files_below(folder.path()).at(0));
  const std::vector<FoundEvent> events = read_events(bytes);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_NE(events[1].message.find("args/text_summary"), std::string_view::npos);
  EXPECT_NE(events[1].message.find("{\"seed\": 1}"), std::string_view::npos);
  EXPECT_EQ(events[2].message.find("train/loss"), std::string_view::npos);
  EXPECT_NE(events[2].message.find("train/num_input_tokens_seen"), std::string_view::npos);
  EXPECT_NE(events[2].message.find("train/epoch"), std::string_view::npos);
}

TEST_F(TensorBoardLogTest, OfAResumedRunHasEveryStepOnceInOneFolder) {
  run(0, 7);
  const std::string first = used;
  run(4, 10, true);
  EXPECT_EQ(used, first);
  EXPECT_EQ(steps_in(folder.path()), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  ASSERT_EQ(files_below(folder.path()).size(), 2u);
  const std::string bytes = content(files_below(folder.path())[1]);
  EXPECT_EQ(read_events(bytes).at(1).message, session_start_event(time, 5));
}

// A finished run that goes on has one summary, and a torn end is no harm.
TEST_F(TensorBoardLogTest, LosesTheSummaryOfARunThatGoesOn) {
  run(0, 4, true);
  const std::string file = files_below(folder.path()).at(0);
  std::ofstream(file, std::ios::app | std::ios::binary) << "torn";
  run(4, 6, true);
  std::size_t summaries = 0;
  for (const std::string& each : files_below(folder.path())) {
    const std::string bytes = content(each);
    std::size_t whole = 0;
    for (const FoundEvent& event : read_events(bytes)) {
      summaries += event.message.find("train/train_runtime") != std::string_view::npos ? 1u : 0u;
      whole = event.offset + event.size;
    }
    EXPECT_EQ(whole, bytes.size()) << each;
  }
  EXPECT_EQ(summaries, 1u);
}

TEST_F(TensorBoardLogTest, LeavesTheFilesOfOtherRunsAlone) {
  logging_dir = folder.file("board");
  fs::create_directories(logging_dir);
  const std::string theirs = logging_dir + "/events.out.tfevents.1600000000.host.1.0";
  put(theirs, event_record(scalars_event(1, 900, {{"train/loss", 1}})));
  const std::string before = content(theirs);
  run(0, 3);
  run(2, 4);
  EXPECT_EQ(content(theirs), before);
}

TEST_F(TensorBoardLogTest, ThatCannotBeWrittenCostsOneWarning) {
  put(folder.file("runs"), "a file in the place of the folder");
  run(0, 3, true);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_NE(log.lines[0].find("The run goes on without its figures for TensorBoard."),
            std::string::npos);
  EXPECT_EQ(log.lines[0].rfind("warning: ", 0), 0u);
}

}  // namespace
}  // namespace hone::report
