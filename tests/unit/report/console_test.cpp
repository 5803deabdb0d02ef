#include "report/console.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "unit/report/recording.h"

namespace hone::report {
namespace {

RunStarted facts() {
  RunStarted run;
  run.examples = 1091;
  run.epochs = 3;
  run.records_per_batch = 1;
  run.accumulation = 8;
  run.total_steps = 411;
  run.total_tokens = 403221;
  run.trainable_parameters = 20185088;
  run.all_parameters = 8050446336;
  return run;
}

Logged log_of(const StepFinished& step, Metrics metrics) {
  Logged logged;
  logged.entry = {step.step, step.epoch, std::move(metrics)};
  logged.total_steps = step.total_steps;
  return logged;
}

TEST(StartHeader, NamesTheFacts) {
  EXPECT_EQ(start_header(facts()),
            "***** Running training *****\n"
            "  examples              1,091\n"
            "  epochs                3\n"
            "  batch                 1 record x 8 accumulation x 1 rank = 8 per step\n"
            "  optimizer steps       411\n"
            "  tokens                403,221\n"
            "  trainable parameters  20,185,088 of 8,050,446,336 (0.2507 %)\n");
}

TEST(StartHeader, OfAResumedRunSaysWhatIsDone) {
  RunStarted run = facts();
  run.first_step = 100;
  run.records_per_batch = 2;
  run.ranks = 4;
  run.total_tokens.reset();
  run.epochs = 2.5;
  EXPECT_EQ(start_header(run),
            "***** Running training *****\n"
            "  examples              1,091\n"
            "  epochs                2.5\n"
            "  batch                 2 records x 8 accumulation x 4 ranks = 64 per step\n"
            "  optimizer steps       411, of which 100 are done\n"
            "  trainable parameters  20,185,088 of 8,050,446,336 (0.2507 %)\n");
}

TEST(StartHeader, OfNothingDividesByNothing) {
  EXPECT_NE(start_header(RunStarted()).find("0 of 0 (0.0000 %)"), std::string::npos);
}

TEST(StartHeader, OfAnEvaluationAlone) {
  EXPECT_EQ(start_header(EvaluationStarted{"", 1091, 8}),
            "***** Running evaluation *****\n"
            "  examples              1,091\n"
            "  batch                 8 records\n");
}

TEST(LogLine, HasTokensPerSecondAndTimeLeft) {
  Pace pace;
  pace.start(run_event(30));
  const StepFinished step = step_event(1, 30, 1.25);
  pace.step(step);
  const Logged logged =
      log_of(step, {{"loss", 1.25}, {"grad_norm", 0.9123}, {"learning_rate", 5e-5}});
  EXPECT_EQ(log_line(logged, pace, true),
            "step 1/30 · loss 1.25 · grad_norm 0.9123 · lr 5e-05 · epoch 0.25 · 100 tok/s · "
            "ETA 0:00:29");
  EXPECT_EQ(log_line(logged, pace, false),
            "step 1/30 | loss 1.25 | grad_norm 0.9123 | lr 5e-05 | epoch 0.25 | 100 tok/s | "
            "ETA 0:00:29");
}

TEST(LogLine, ShowsNoNumberWhereThereIsNone) {
  const Logged logged =
      log_of(step_event(1, 30, 1.0),
             {{"loss", Measured()}, {"grad_norm", std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_EQ(log_line(logged, Pace(), false),
            "step 1/30 | loss no labels | grad_norm not finite | epoch 0.25 | - tok/s");
}

TEST(LogLine, OfAnEvaluationHasItsMeasuresOnly) {
  Logged logged = log_of(step_event(4, 30, 1.0),
                         {{"eval_loss", 1.5}, {"num_input_tokens_seen", std::int64_t{12345}}});
  logged.kind = Logged::Kind::evaluation;
  EXPECT_EQ(log_line(logged, Pace(), false),
            "step 4/30 | eval_loss 1.5 | num_input_tokens_seen 12,345 | epoch 1");
}

TEST(LineConsole, WritesALinePerEntryAndNothingElse) {
  RecordingOutput output;
  LineConsole console(output, false);
  console.run_started(run_event(2));
  output.written.clear();
  console.micro_step_finished({1, 1, 2, 0.5});
  console.step_finished(step_event(1, 2, 1.0));
  console.evaluation_progressed({1, 2, 0.5});
  EXPECT_EQ(output.written, "");
  console.logged(log_of(step_event(1, 2, 1.0), {{"loss", 1.0}}));
  console.checkpoint_saved({1, "saves/checkpoint-1", 24536678, 0.12});
  console.noted({Severity::info, "a note"});
  console.noted({Severity::warning, "take care"});
  EXPECT_EQ(output.written,
            "step 1/2 | loss 1 | epoch 0.25 | 100 tok/s | ETA 0:00:01\n"
            "saved saves/checkpoint-1 (23.4 MiB, 120 ms)\n"
            "a note\n"
            "warning: take care\n");
}

TEST(LineConsole, EndsWithTheMetrics) {
  RecordingOutput output;
  LineConsole console(output, false);
  Logged summary = log_of(step_event(1, 1, 1.0), {{"train_loss", 1.0}});
  summary.kind = Logged::Kind::summary;
  console.logged(summary);
  EXPECT_EQ(output.written, "");
  console.run_finished({1, 0.25, false, {{"train_loss", 1.0}}, 1});
  EXPECT_EQ(output.written,
            "***** train metrics *****\n  epoch      = 0.25\n  train_loss =  1.0\n");
}

class BarConsoleTest : public testing::Test {
 protected:
  std::string taken() {
    std::string text = std::move(output_.written);
    output_.written.clear();
    return text;
  }

  int columns_ = 45;
  RecordingOutput output_;
};

TEST_F(BarConsoleTest, DrawsOverItselfAndErasesTheRest) {
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(2));
  taken();
  console.step_finished(step_event(1, 2, 1.0));
  EXPECT_EQ(taken(), "\rstep 1/2 | loss 1 | 100 tok/s | ETA 0:00:01\x1b[K");
}

TEST_F(BarConsoleTest, LeavesTheLastColumnFree) {
  columns_ = 200;
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(2));
  console.step_finished(step_event(1, 2, 1.0));
  for (columns_ = 1; columns_ < 120; ++columns_) {
    taken();
    console.noted({Severity::info, "x"});
    const std::string text = taken();
    const std::size_t bar = text.rfind('\r');
    EXPECT_LE(text.size() - bar - 1 - 3, static_cast<std::size_t>(columns_ - 1)) << text;
  }
}

TEST_F(BarConsoleTest, SurvivesAWidthOfNothing) {
  columns_ = 0;
  BarConsole console(output_, true, [this] { return columns_; });
  console.run_started(run_event(2));
  console.step_finished(step_event(1, 2, 1.0));
  EXPECT_NE(taken().find("\r\x1b[K"), std::string::npos);
}

TEST_F(BarConsoleTest, PutsLinesAboveTheBar) {
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(2));
  taken();
  console.noted({Severity::warning, "take care"});
  EXPECT_EQ(taken(),
            "\r\x1b[Kwarning: take care\n\rstep 0/2 [-------------------] 0 % | - tok/s\x1b[K");
}

TEST_F(BarConsoleTest, IsDrawnTenTimesASecondAtMost) {
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(100));
  taken();
  for (int number = 1; number <= 100; ++number) {
    StepFinished step = step_event(number, 100, 1.0);
    step.elapsed_seconds = 0.01 * number;
    console.step_finished(step);
  }
  const std::string text = taken();
  const auto drawn = std::count(text.begin(), text.end(), '\r');
  EXPECT_GE(drawn, 9);
  EXPECT_LE(drawn, 10);
}

TEST_F(BarConsoleTest, MovesWithinAStepAndShowsTheEvaluation) {
  columns_ = 80;
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(2));
  console.micro_step_finished({1, 1, 2, 1.0});
  EXPECT_NE(taken().find("25 %"), std::string::npos);
  console.step_finished(step_event(1, 2, 1.0));
  console.evaluation_progressed({3, 9, 5.0});
  EXPECT_NE(taken().find(" | evaluating 3/9 | "), std::string::npos);
  console.evaluation_finished({});
  console.step_finished(step_event(2, 2, 1.0));
  EXPECT_EQ(taken().find("evaluating"), std::string::npos);
}

TEST_F(BarConsoleTest, EndsOnALineOfItsOwnWithTheMetricsBelow) {
  BarConsole console(output_, false, [this] { return columns_; });
  console.run_started(run_event(1));
  console.step_finished(step_event(1, 1, 1.0));
  taken();
  console.run_finished({1, 0.25, false, {{"train_loss", 1.0}}, 1});
  EXPECT_EQ(taken(),
            "\rstep 1/1 | loss 1 | 100 tok/s | ETA 0:00:00\x1b[K\n"
            "***** train metrics *****\n  epoch      = 0.25\n  train_loss =  1.0\n");
  console.noted({Severity::info, "after"});
  EXPECT_EQ(taken(), "after\n");
}

TEST_F(BarConsoleTest, CountsTheRecordsOfAnEvaluationAlone) {
  columns_ = 80;
  BarConsole console(output_, false, [this] { return columns_; });
  console.evaluation_started({"", 40, 8});
  const std::string bar = std::string(30 - 2, '-');
  EXPECT_EQ(taken(),
            "***** Running evaluation *****\n  examples              40\n"
            "  batch                 8 records\n\revaluating 0/40 [" +
                bar + "] 0 %\x1b[K");
  console.evaluation_progressed({8, 40, 2.0});
  EXPECT_EQ(taken(), "\revaluating 8/40 [=====" + bar.substr(5) + "] 20 % | ETA 0:00:08\x1b[K");
  console.evaluation_progressed({40, 40, 2.01});
  EXPECT_EQ(taken(), "");
  console.evaluation_finished({});
  EXPECT_NE(taken().find("evaluating 40/40 "), std::string::npos);
  console.noted({Severity::info, "after"});
  EXPECT_EQ(taken(), "after\n");
}

TEST_F(BarConsoleTest, GoesToANewLineWhenTheRunFails) {
  {
    BarConsole console(output_, false, [this] { return columns_; });
    console.run_started(run_event(1));
    taken();
  }
  EXPECT_EQ(taken(), "\n");
  {
    BarConsole console(output_, false, [this] { return columns_; });
  }
  EXPECT_EQ(taken(), "");
}

}  // namespace
}  // namespace hone::report
