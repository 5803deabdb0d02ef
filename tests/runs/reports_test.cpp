// What a run leaves for people and for TensorBoard.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "kit/training_session.h"
#include "report/event_record.h"
#include "report/page_text.h"

namespace hone::kit {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> event_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().string().find("tfevents") != std::string::npos) {
      files.push_back(entry->path());
    }
  }
  return files;
}

TEST(Reports, EveryRunHasAPageAndNoneForTensorBoardUnasked) {
  const Workshop shop({Kind::closed_form});
  const auto session = shop.run();
  ASSERT_EQ(session->error, "");
  const std::string page = bytes_of(shop.results() / "report.html");
  report::RunSeries series;
  ASSERT_TRUE(series.restore(report::series_in(page), 100));
  ASSERT_EQ(series.points().size(), session->events.steps.size());
  for (std::size_t i = 0; i < series.points().size(); ++i) {
    const report::StepFinished& step = session->events.steps[i];
    EXPECT_EQ(series.points()[i].loss, step.loss);
    EXPECT_EQ(series.points()[i].grad_norm, step.grad_norm);
    EXPECT_EQ(series.points()[i].tokens, step.tokens);
    EXPECT_GT(series.points()[i].memory_bytes, 1 << 20);
  }
  EXPECT_TRUE(event_files(shop.results()).empty());
  EXPECT_EQ(session->outcome.lines.back(),
            "the run as a page: " + (shop.results() / "report.html").string());
}

TEST(Reports, TensorBoardGetsEveryEntryOfTheLog) {
  for (const char* word : {"report_to=tensorboard", "report_to=all"}) {
    const Workshop shop({Kind::closed_form});
    const auto session = shop.run({word});
    ASSERT_EQ(session->error, "");
    const std::vector<fs::path> files = event_files(shop.results() / "runs");
    ASSERT_EQ(files.size(), 1u);
    const std::string bytes = bytes_of(files[0]);
    // The version, two texts, and the entries.
    EXPECT_EQ(report::read_events(bytes).size(), 3 + session->events.logs.size());
    EXPECT_EQ(session->outcome.lines.back(),
              "for TensorBoard: tensorboard --logdir " + files[0].parent_path().string());
  }
}

TEST(Reports, NamedFolderOfTensorBoard) {
  const Workshop shop({Kind::closed_form});
  const fs::path board = shop.place().path() / "BOARD";
  const auto session = shop.run({"report_to=tensorboard", "logging_dir=" + board.string()});
  ASSERT_EQ(session->error, "");
  EXPECT_EQ(event_files(board).size(), 1u);
  EXPECT_FALSE(fs::exists(shop.results() / "runs"));
}

TEST(Reports, RunThatDiedAndWasResumedHasEachStepOnce) {
  const Workshop shop({Kind::closed_form}, std::vector<Example>(6, {"x", "aaaa"}));
  const std::vector<std::string> settings = {"report_to=tensorboard", "save_strategy=steps",
                                             "save_steps=2"};
  EXPECT_TRUE(shop.die(settings, 4)->died);
  const auto session = shop.run(settings);
  ASSERT_EQ(session->error, "");
  ASSERT_EQ(session->events.steps.front().step, 3);
  report::RunSeries series;
  ASSERT_TRUE(series.restore(report::series_in(bytes_of(shop.results() / "report.html")), 100));
  ASSERT_EQ(series.points().size(), 6u);
  std::vector<std::int64_t> steps;
  for (const fs::path& file : event_files(shop.results() / "runs")) {
    const std::string bytes = bytes_of(file);
    for (const report::FoundEvent& event : report::read_events(bytes)) {
      if (event.message.find("train/loss") != std::string_view::npos) steps.push_back(event.step);
    }
  }
  std::sort(steps.begin(), steps.end());
  EXPECT_EQ(steps, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace hone::kit
