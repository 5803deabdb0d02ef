#include <gtest/gtest.h>

#include <algorithm>

#include "report/pace.h"
#include "report/progress_line.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

ProgressState middle() {
  ProgressState state;
  state.step = 12;
  state.total_steps = 30;
  state.latest = ProgressState::Latest{1.2341, 5e-5};
  state.tokens_per_second = 301.4;
  state.seconds_left = 83;
  return state;
}

int columns_of(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0u) != 0x80u;
  }));
}

TEST(ProgressLine, SaysEverythingWhereThereIsRoom) {
  EXPECT_EQ(progress_line(middle(), 76, true),
            "step 12/30 ━━━━────── 40 % · loss 1.234 · lr 5e-05 · 301 tok/s · ETA 0:01:23");
  EXPECT_EQ(progress_line(middle(), 76, false),
            "step 12/30 [===-----] 40 % | loss 1.234 | lr 5e-05 | 301 tok/s | ETA 0:01:23");
}

TEST(ProgressLine, BarGrowsToThirtyColumnsOnly) {
  const std::string line = progress_line(middle(), 500, true);
  EXPECT_NE(line.find("step 12/30 ━━━━━━━━━━━━────────────────── 40 %"), std::string::npos) << line;
}

TEST(ProgressLine, NeverIsWiderThanItMayBe) {
  ProgressState state = middle();
  state.activity = "evaluating 12/30";
  for (int columns = 0; columns < 140; ++columns) {
    for (const bool utf8 : {true, false}) {
      const std::string line = progress_line(state, columns, utf8);
      EXPECT_LE(columns_of(line), columns) << line;
      EXPECT_EQ(line.find('\n'), std::string::npos);
      EXPECT_TRUE(utf8 || columns_of(line) == static_cast<int>(line.size())) << line;
    }
  }
}

TEST(ProgressLine, LosesTheLeastImportantFirst) {
  EXPECT_EQ(progress_line(middle(), 64, true),
            "step 12/30 ━━━╺───── 40 % · loss 1.234 · 301 tok/s · ETA 0:01:23");
  EXPECT_EQ(progress_line(middle(), 60, true),
            "step 12/30 40 % · loss 1.234 · 301 tok/s · ETA 0:01:23");
  EXPECT_EQ(progress_line(middle(), 50, true), "step 12/30 · loss 1.234 · 301 tok/s · ETA 0:01:23");
  EXPECT_EQ(progress_line(middle(), 40, true), "step 12/30 · 301 tok/s · ETA 0:01:23");
  EXPECT_EQ(progress_line(middle(), 25, true), "step 12/30 · 301 tok/s");
  EXPECT_EQ(progress_line(middle(), 12, true), "step 12/30 |");
  EXPECT_EQ(progress_line(middle(), 0, true), "");
  EXPECT_EQ(progress_line(middle(), -3, true), "");
}

TEST(ProgressLine, ANullLossReadsNoLabels) {
  ProgressState state = middle();
  state.latest->loss.reset();
  EXPECT_NE(progress_line(state, 100, true).find("· no labels ·"), std::string::npos);
}

TEST(ProgressLine, ALossThatIsNotFiniteIsNoNumber) {
  ProgressState state = middle();
  state.latest->loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(progress_line(state, 100, true).find("loss not finite"), std::string::npos);
}

TEST(ProgressLine, BeforeTheFirstStepKnowsNothing) {
  ProgressState state;
  state.total_steps = 30;
  EXPECT_EQ(progress_line(state, 40, true), "step 0/30 ──────────────── 0 % · - tok/s");
}

TEST(ProgressLine, OfARunWithoutStepsHasNoDivision) {
  EXPECT_EQ(progress_line({}, 35, false), "step 0/0 [----------] 0 % | - tok/s");
}

TEST(ProgressLine, EndsFull) {
  ProgressState state = middle();
  state.step = 30;
  state.part = 1;  // more than there is
  const std::string line = progress_line(state, 200, true);
  EXPECT_NE(line.find("━ 100 %"), std::string::npos) << line;
  EXPECT_EQ(line.find("─"), std::string::npos) << line;
}

TEST(ProgressLine, MovesWithinAStep) {
  ProgressState state;
  state.total_steps = 1;
  state.part = 0.5;
  EXPECT_NE(progress_line(state, 100, true).find("50 %"), std::string::npos);
}

TEST(Pace, KnowsNothingBeforeTheFirstStep) {
  Pace pace;
  pace.start(run_event(10));
  EXPECT_FALSE(pace.tokens_per_second());
  EXPECT_FALSE(pace.seconds_left());
}

TEST(Pace, OfSteadyStepsIsExact) {
  Pace pace;
  pace.start(run_event(10));
  for (int step = 1; step <= 4; ++step) pace.step(step_event(step, 10, 1.0));
  EXPECT_NEAR(*pace.tokens_per_second(), 100, 1e-9);
  EXPECT_NEAR(*pace.seconds_left(), 6, 1e-9);
}

TEST(Pace, CountsWhatComesBetweenSteps) {
  Pace pace;
  pace.start(run_event(10));
  StepFinished step = step_event(1, 10, 1.0);
  step.elapsed_seconds = 3;  // two of them evaluation
  pace.step(step);
  EXPECT_NEAR(*pace.seconds_left(), 9 * 3, 1e-9);
}

TEST(Pace, UsesTheTokensThatAreLeftWhereTheyAreKnown) {
  Pace pace;
  RunStarted run = run_event(10);
  run.total_tokens = 5100;
  pace.start(run);
  pace.step(step_event(1, 10, 1.0));
  EXPECT_NEAR(*pace.seconds_left(), 50, 1e-9);
}

TEST(Pace, ForgetsASlowStart) {
  Pace pace;
  pace.start(run_event(1000));
  StepFinished slow = step_event(1, 1000, 1.0);
  slow.seconds = 60;
  pace.step(slow);
  for (int number = 2; number <= 60; ++number) pace.step(step_event(number, 1000, 1.0));
  EXPECT_GT(*pace.tokens_per_second(), 90);
  EXPECT_LT(*pace.tokens_per_second(), 100);
}

TEST(Pace, OneSlowStepDoesNotRule) {
  Pace pace;
  pace.start(run_event(1000));
  for (int number = 1; number <= 50; ++number) pace.step(step_event(number, 1000, 1.0));
  StepFinished slow = step_event(51, 1000, 1.0);
  slow.seconds = 3;
  pace.step(slow);
  EXPECT_GT(*pace.tokens_per_second(), 75);
}

TEST(Pace, SurvivesEmptyStepsAndNoTime) {
  Pace pace;
  pace.start(run_event(4));
  StepFinished empty = step_event(1, 4, std::nullopt);
  empty.tokens = 0;
  empty.tokens_seen = 0;
  pace.step(empty);
  EXPECT_FALSE(pace.tokens_per_second());
  EXPECT_NEAR(*pace.seconds_left(), 3, 1e-9);
  StepFinished instant = step_event(2, 4, 1.0);
  instant.seconds = 0;
  Pace none;
  none.start(run_event(4));
  none.step(instant);
  EXPECT_FALSE(none.tokens_per_second());
}

TEST(Pace, OfAResumedRunCountsThisProcessOnly) {
  Pace pace;
  RunStarted run = run_event(100);
  run.first_step = 90;
  run.tokens_seen = 9000;
  pace.start(run);
  StepFinished step = step_event(91, 100, 1.0);
  step.elapsed_seconds = 1;
  pace.step(step);
  EXPECT_NEAR(*pace.seconds_left(), 9, 1e-9);
}

TEST(Pace, AtTheEndNothingIsLeft) {
  Pace pace;
  RunStarted run = run_event(1);
  run.total_tokens = 1000000;
  pace.start(run);
  pace.step(step_event(1, 1, 1.0));
  EXPECT_EQ(*pace.seconds_left(), 0);
}

}  // namespace
}  // namespace hone::report
