#include "report/log_history.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "unit/report/recording.h"

namespace hone::report {
namespace {

std::vector<std::int64_t> logged_steps(LogCadence cadence, std::int64_t total,
                                       std::int64_t steps_per_epoch) {
  RecordingListener seen;
  LogHistory history(cadence, false, seen);
  history.run_started(run_event(total));
  for (std::int64_t step = 1; step <= total; ++step) {
    StepFinished event = step_event(step, total, 1.0);
    event.ends_epoch = step % steps_per_epoch == 0;
    history.step_finished(event);
  }
  std::vector<std::int64_t> steps;
  for (const Logged& log : seen.logs) steps.push_back(log.entry.step);
  return steps;
}

using Steps = std::vector<std::int64_t>;

TEST(LogHistory, LogsWhenTheCadenceSaysSo) {
  using Strategy = LogCadence::Strategy;
  EXPECT_EQ(logged_steps({Strategy::steps, 3, false}, 10, 4), (Steps{3, 6, 9}));
  EXPECT_EQ(logged_steps({Strategy::steps, 3, true}, 10, 4), (Steps{1, 3, 6, 9}));
  EXPECT_EQ(logged_steps({Strategy::steps, 1, true}, 3, 4), (Steps{1, 2, 3}));
  EXPECT_EQ(logged_steps({Strategy::steps, 10, false}, 2, 4), Steps{});
  EXPECT_EQ(logged_steps({Strategy::epoch, 1, false}, 10, 4), (Steps{4, 8}));
  EXPECT_EQ(logged_steps({Strategy::no, 1, false}, 10, 4), Steps{});
  EXPECT_EQ(logged_steps({Strategy::no, 0, false}, 10, 4), Steps{});  // logging_steps: 0
}

TEST(LogHistory, AnEntryHoldsTheMeanLossSinceTheOneBefore) {
  RecordingListener seen;
  LogHistory history({LogCadence::Strategy::steps, 2, false}, false, seen);
  history.run_started(run_event(4));
  const double losses[] = {4, 2, 1, 0.5};
  for (std::int64_t step = 1; step <= 4; ++step) {
    history.step_finished(step_event(step, 4, losses[step - 1]));
  }
  ASSERT_EQ(history.entries().size(), 2u);
  EXPECT_EQ(history.entries()[0],
            (LogEntry{2, 0.5, {{"loss", 3.0}, {"grad_norm", 0.5}, {"learning_rate", 5e-5}}}));
  EXPECT_EQ(find_measured(history.entries()[1].metrics, "loss"), Measured(0.75));
  EXPECT_EQ(history.train_loss(), Measured(1.875));
  EXPECT_EQ(seen.logs[1].total_steps, 4);
  EXPECT_EQ(seen.logs[1].tokens_seen, 400);
  EXPECT_EQ(seen.logs[1].elapsed_seconds, 4);
}

TEST(LogHistory, StepsWithoutLabelsWeighNothing) {
  RecordingListener seen;
  LogHistory history({LogCadence::Strategy::steps, 2, false}, false, seen);
  history.step_finished(step_event(1, 4, std::nullopt));
  history.step_finished(step_event(2, 4, 0.5));
  history.step_finished(step_event(3, 4, std::nullopt));
  StepFinished last = step_event(4, 4, std::nullopt);
  last.grad_norm.reset();
  history.step_finished(last);
  EXPECT_EQ(find_measured(history.entries()[0].metrics, "loss"), Measured(0.5));
  EXPECT_EQ(find_measured(history.entries()[1].metrics, "loss"), Measured());
  EXPECT_EQ(find_measured(history.entries()[1].metrics, "grad_norm"), Measured());
  EXPECT_TRUE(has_key(history.entries()[1].metrics, "loss"));
  EXPECT_EQ(history.train_loss(), Measured(0.5));
}

TEST(LogHistory, WithoutAnyLabelThereIsNoTrainLoss) {
  RecordingListener seen;
  LogHistory history({}, false, seen);
  history.step_finished(step_event(1, 1, std::nullopt));
  EXPECT_EQ(history.train_loss(), Measured());
}

TEST(LogHistory, RefusesALossThatIsNotFinite) {
  RecordingListener seen;
  LogHistory history({}, false, seen);
  EXPECT_THROW(history.step_finished(step_event(1, 1, std::numeric_limits<double>::quiet_NaN())),
               InternalError);
  EXPECT_THROW(history.step_finished(step_event(1, 1, std::numeric_limits<double>::infinity())),
               InternalError);
  EXPECT_TRUE(seen.names.empty());
}

TEST(LogHistory, PassesEverythingOnAndLogsInBetween) {
  RecordingListener seen;
  LogHistory history({LogCadence::Strategy::steps, 1, false}, false, seen);
  history.run_started(run_event(1));
  history.micro_step_finished({});
  history.step_finished(step_event(1, 1, 1.0));
  history.evaluation_progressed({});
  history.evaluation_finished({1, 0.25, {{"eval_loss", 2.0}}, 1});
  history.checkpoint_saved({});
  history.noted({});
  history.run_finished({1, 0.25, false, {{"train_loss", 1.0}}, 1});
  EXPECT_EQ(seen.names, (std::vector<std::string>{"run_started", "micro_step", "step 1", "logged 1",
                                                  "evaluating", "evaluation", "logged 1", "saved",
                                                  "noted", "logged 1", "run_finished"}));
  EXPECT_EQ(seen.logs[0].kind, Logged::Kind::train);
  EXPECT_EQ(seen.logs[1].kind, Logged::Kind::evaluation);
  EXPECT_EQ(seen.logs[2].kind, Logged::Kind::summary);
  EXPECT_EQ(history.entries()[1], (LogEntry{1, 0.25, {{"eval_loss", 2.0}}}));
}

TEST(LogHistory, AnInterruptedRunHasNoSummary) {
  RecordingListener seen;
  LogHistory history({}, false, seen);
  history.run_finished({1, 0.25, true, {{"train_loss", 1.0}}, 1});
  EXPECT_TRUE(history.entries().empty());
  EXPECT_EQ(seen.names, std::vector<std::string>{"run_finished"});
}

TEST(LogHistory, CountsTokensAndKeepsTheLossesOwnMeasuresWhenAsked) {
  RecordingListener seen;
  LogHistory history({LogCadence::Strategy::steps, 1, false}, true, seen);
  StepFinished step = step_event(1, 1, 1.0);
  step.more = {{"rewards/accuracies", 0.75}};
  history.step_finished(step);
  history.evaluation_finished({1, 0.25, {{"eval_loss", 2.0}}, 1});
  EXPECT_EQ(history.entries()[0].metrics, (Metrics{{"loss", 1.0},
                                                   {"grad_norm", 0.5},
                                                   {"learning_rate", 5e-5},
                                                   {"rewards/accuracies", 0.75},
                                                   {"num_input_tokens_seen", std::int64_t{100}}}));
  EXPECT_EQ(history.entries()[1].metrics,
            (Metrics{{"eval_loss", 2.0}, {"num_input_tokens_seen", std::int64_t{100}}}));
}

TEST(LogHistory, ResumedBetweenTwoEntriesItLogsTheSameBits) {
  const double losses[] = {0.1, 0.7, 1.0 / 3, 0.123456789, 0.9, 2.5};
  RecordingListener seen;
  const LogCadence cadence = {LogCadence::Strategy::steps, 3, false};
  LogHistory whole(cadence, false, seen);
  LogHistory first(cadence, false, seen);
  for (std::int64_t step = 1; step <= 6; ++step) {
    whole.step_finished(step_event(step, 6, losses[step - 1]));
    if (step <= 2) first.step_finished(step_event(step, 6, losses[step - 1]));
  }
  LogHistory second(cadence, false, seen);
  second.restore(first.entries(), first.totals());
  for (std::int64_t step = 3; step <= 6; ++step) {
    second.step_finished(step_event(step, 6, losses[step - 1]));
  }
  EXPECT_EQ(second.entries(), whole.entries());
  EXPECT_EQ(second.totals(), whole.totals());
}

TEST(ListenerList, TellsEachInOrder) {
  RecordingListener first;
  RecordingListener second;
  ListenerList list;
  list.add(first);
  list.add(second);
  list.run_started({});
  list.micro_step_finished({});
  list.step_finished(step_event(1, 1, 1.0));
  list.evaluation_progressed({});
  list.evaluation_finished({});
  list.logged({});
  list.checkpoint_saved({});
  list.run_finished({});
  list.noted({});
  EXPECT_EQ(first.names.size(), 9u);
  EXPECT_EQ(first.names, second.names);
}

TEST(Metrics, AMeasuredValueIsANumberOrNot) {
  EXPECT_FALSE(is_number(Measured()));
  EXPECT_FALSE(is_number(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(is_number(0.0));
  EXPECT_EQ(to_number(std::int64_t{3}), 3.0);
  EXPECT_THROW(to_number(Measured()), InternalError);
  EXPECT_EQ(find_measured({{"a", 1.0}}, "b"), Measured());
  EXPECT_FALSE(has_key({{"a", 1.0}}, "b"));
}

}  // namespace
}  // namespace hone::report
