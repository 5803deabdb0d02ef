#include "report/run_page.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "report/svg_chart.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

// Text without elements: enough of HTML to see that every element that is opened is closed.
void expect_balanced(const std::string& html) {
  static const std::vector<std::string> kAlone = {"meta", "!DOCTYPE", "line", "path", "circle"};
  std::vector<std::string> open;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const bool closes = html[at + 1] == '/';
    const std::size_t first = at + (closes ? 2 : 1);
    const std::string name = html.substr(first, html.find_first_of(" >\n/", first) - first);
    if (closes) {
      ASSERT_FALSE(open.empty()) << name;
      EXPECT_EQ(open.back(), name);
      open.pop_back();
    } else if (std::find(kAlone.begin(), kAlone.end(), name) == kAlone.end()) {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

RunFinished finished(std::int64_t step, bool interrupted = false, Metrics metrics = {}) {
  RunFinished event;
  event.step = step;
  event.interrupted = interrupted;
  event.metrics = std::move(metrics);
  return event;
}

CheckpointSaved saved(std::int64_t step) {
  CheckpointSaved event;
  event.step = step;
  return event;
}

TEST(EscapeHtml, LeavesNothingThatABrowserWouldObey) {
  EXPECT_EQ(escape_html("<script>alert(\"x\" + 'y') & more</script>"),
            "&lt;script&gt;alert(&quot;x&quot; + &#39;y&#39;) &amp; more&lt;/script&gt;");
  EXPECT_EQ(escape_html("a\x01"
                        "b\xff"),
            "a\\x01b\\xff");
  EXPECT_EQ(escape_html("löss"), "löss");
}

TEST(RunSeries, PutsNeighboursTogetherWhereThereAreManySteps) {
  RunSeries series(4);
  for (std::int64_t step = 1; step <= 9; ++step) {
    StepFinished event = step_event(step, 9, static_cast<double>(step));
    event.grad_norm = step == 2 ? 50.0 : 1.0;
    series.add(event, 1000 + step);
  }
  EXPECT_EQ(series.steps_per_point(), 4);
  ASSERT_EQ(series.points().size(), 3u);
  const SeriesPoint& first = series.points()[0];
  EXPECT_EQ(first.step, 4);
  EXPECT_EQ(first.steps, 4);
  EXPECT_EQ(first.loss, 2.5);
  EXPECT_EQ(first.grad_norm, 50.0);
  EXPECT_EQ(first.tokens, 400);
  EXPECT_EQ(first.seconds, 4.0);
  EXPECT_EQ(first.memory_bytes, 1004);
  EXPECT_EQ(series.points()[2].step, 9);
  EXPECT_EQ(series.points()[2].steps, 1);
}

TEST(RunSeries, MeansOverTheStepsThatHadALoss) {
  RunSeries series(2);
  series.add(step_event(1, 4, std::nullopt), 0);
  series.add(step_event(2, 4, 3.0), 0);
  series.add(step_event(3, 4, 1.0), 0);
  series.add(step_event(4, 4, std::nullopt), 0);
  ASSERT_EQ(series.points().size(), 2u);
  EXPECT_EQ(series.points()[0].loss, 3.0);
  EXPECT_EQ(series.points()[0].losses, 1);
  EXPECT_EQ(series.points()[1].loss, 1.0);
}

TEST(RunSeries, GoesOnFromItsTextUpToAStep) {
  RunSeries series(4);
  for (std::int64_t step = 1; step <= 8; ++step) series.add(step_event(step, 8, 1.0), 5);
  series.add(EvaluationPoint{4, 2.0});
  series.add(EvaluationPoint{8, std::nullopt});
  RunSeries again(4);
  EXPECT_TRUE(again.restore(series.to_json(), 8));
  EXPECT_EQ(again.to_json(), series.to_json());
  EXPECT_EQ(again.steps_per_point(), 2);
  EXPECT_TRUE(again.restore(series.to_json(), 5));
  ASSERT_EQ(again.points().size(), 2u);
  EXPECT_EQ(again.points().back().step, 4);
  EXPECT_EQ(again.evaluations().size(), 1u);
}

TEST(RunSeries, TakesNothingFromATextThatIsNone) {
  for (const char* text :
       {"", "{", "[]", "{\"version\": 2, \"points\": []}", "{\"version\": 1, \"points\": 3}",
        "{\"version\": 1, \"points\": [[1, 2]]}", "{\"version\": 1, \"points\": [\"a\", null]}",
        "{\"version\": 1, \"points\": [[5, 0, 0, null, null, 0, 0, 0, 0]]}",
        "{\"version\": 1, \"points\": [[5, 1, 0, 2.5, null, 0, 0, 0, 0]]}",
        "{\"version\": 1, \"points\": [], \"evaluations\": [1, [2]]}"}) {
    RunSeries series;
    EXPECT_FALSE(series.restore(text, 100)) << text;
    EXPECT_TRUE(series.points().empty()) << text;
  }
}

class RunPageTest : public testing::Test {
 protected:
  RunPageOptions options(bool resume = false) {
    RunPageOptions options;
    options.file = folder.file("report.html");
    options.resume = resume;
    options.content.title = "</title><script>alert(1)</script>";
    options.content.summary = {"model: /m/<b>T</b>", "no colon here"};
    options.content.settings = {{"run_name", "\"><img src=x>", "base.yaml, line 3"}};
    options.content.version = "1.2.3";
    options.memory_bytes = [] { return std::int64_t{3} << 30; };
    return options;
  }

  void steps(RunPage& page, std::int64_t first, std::int64_t last) {
    RunStarted started = run_event(10);
    started.first_step = first - 1;
    page.run_started(started);
    for (std::int64_t step = first; step <= last; ++step) {
      page.step_finished(step_event(step, 10, 3.0 / static_cast<double>(step)));
    }
  }

  static Logged evaluation(std::int64_t step) {
    Logged logged;
    logged.kind = Logged::Kind::evaluation;
    logged.entry = {step, 1.0, {{"eval_loss", 0.75}}};
    return logged;
  }

  TemporaryFolder folder;
  formats::PosixFileSystem files;
  RecordingLog log;
};

TEST_F(RunPageTest, ShowsFiveChartsAndWhatItWasTold) {
  RunPage page(options(), files, log);
  steps(page, 1, 10);
  page.logged(evaluation(5));
  EXPECT_FALSE(page.written());
  page.run_finished(finished(10, false, {{"train_loss", 0.5}}));
  page.logged(evaluation(10));
  const std::string html = content(page.file());
  expect_balanced(html.substr(0, html.find("<style>")) + html.substr(html.find("</style>") + 8));
  std::size_t charts = 0;
  for (std::size_t at = html.find("<svg"); at != std::string::npos;
       at = html.find("<svg", at + 1)) {
    ++charts;
  }
  EXPECT_EQ(charts, 5u);
  for (const char* text :
       {"<h2>Loss</h2>", "Learning rate", "Gradient norm", "Tokens per second",
        "Memory of the process, GiB", "finished, 10 of 10 steps", "train_loss", "eval_loss",
        "prefers-color-scheme: dark", "Made by hone 1.2.3.", "/m/&lt;b&gt;T&lt;/b&gt;"}) {
    EXPECT_NE(html.find(text), std::string::npos) << text;
  }
  // Nothing of the user's is obeyed, and nothing is fetched.
  for (const char* text : {"<script>", "<img", "<b>T", "http:", "https:", "src=", "url("}) {
    const bool escaped_only = html.find(text) == std::string::npos ||
                              std::string(text) == "src=";  // stands inside the escaped text
    EXPECT_TRUE(escaped_only) << text;
  }
}

TEST_F(RunPageTest, IsThereAfterACheckpointAndGoesOnFromIt) {
  {
    RunPage page(options(), files, log);
    steps(page, 1, 4);
    page.checkpoint_saved(saved(4));
    EXPECT_NE(content(page.file()).find("running, written after 4 of 10 steps"), std::string::npos);
    steps(page, 5, 6);
    page.run_finished(finished(6, true));
    EXPECT_NE(content(page.file()).find("stopped after 6 of 10 steps"), std::string::npos);
  }
  RunPage page(options(true), files, log);
  steps(page, 5, 10);  // from the checkpoint
  page.run_finished(finished(10));
  RunSeries series;
  ASSERT_TRUE(series.restore(series_in(content(page.file())), 10));
  ASSERT_EQ(series.points().size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(series.points()[i].step, static_cast<std::int64_t>(i) + 1);
  }
}

TEST_F(RunPageTest, StartsAnewWhereThePageIsNoneOfOurs) {
  put(folder.file("report.html"), "<html>somebody's</html>");
  RunPage page(options(true), files, log);
  steps(page, 5, 6);
  page.run_finished(finished(6));
  RunSeries series;
  ASSERT_TRUE(series.restore(series_in(content(page.file())), 10));
  EXPECT_EQ(series.points().size(), 2u);
  EXPECT_TRUE(log.lines.empty());
}

TEST_F(RunPageTest, OfARunWithoutALossSaysSo) {
  RunPage page(options(), files, log);
  page.run_started(run_event(1));
  StepFinished event = step_event(1, 1, std::nullopt);
  event.grad_norm.reset();
  event.seconds = 0;
  page.step_finished(event);
  page.run_finished(finished(1));
  const std::string html = content(page.file());
  EXPECT_NE(html.find("There is no value to draw."), std::string::npos);
  EXPECT_EQ(html.find("nan"), std::string::npos);
}

TEST_F(RunPageTest, ThatCannotBeWrittenCostsOneWarning) {
  RunPageOptions there = options();
  there.file = folder.file("no/such/report.html");
  RunPage page(there, files, log);
  steps(page, 1, 2);
  page.checkpoint_saved(saved(2));
  page.run_finished(finished(2));
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_NE(log.lines[0].find("report.html: cannot be written ("), std::string::npos);
  EXPECT_NE(log.lines[0].find("The run goes on without it."), std::string::npos);
}

}  // namespace
}  // namespace hone::report
