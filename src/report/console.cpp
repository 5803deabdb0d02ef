#include "report/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/results.h"
#include "report/units.h"

namespace hone::report {

namespace {

constexpr double kSecondsBetweenDrawings = 0.1;
constexpr std::string_view kEraseToEnd = "\x1b[K";
constexpr std::string_view kEraseLine = "\r\x1b[K";

std::string plural(std::int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", count_text(count), one, count == 1 ? "" : "s");
}

std::string measured_text(const Metric& metric) {
  if (const auto* whole = std::get_if<std::int64_t>(&metric.value)) return count_text(*whole);
  if (const auto* real = std::get_if<double>(&metric.value)) return number_text(*real);
  return "no labels";
}

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("  {:<21} {}\n", name, value);
}

std::string metric_text(const Metric& metric) {
  std::string_view key = metric.key;
  if (key == "learning_rate") key = "lr";
  return fmt::format("{} {}", key, measured_text(metric));
}

}  // namespace

std::string start_header(const RunStarted& run) {
  std::string text = "***** Running training *****\n";
  text += fact("examples", count_text(run.examples));
  text += fact("epochs", number_text(run.epochs));
  text +=
      fact("batch", fmt::format("{} x {} accumulation x {} = {} per step",
                                plural(run.records_per_batch, "record"),
                                count_text(run.accumulation), plural(run.ranks, "rank"),
                                count_text(run.records_per_batch * run.accumulation * run.ranks)));
  text += fact("optimizer steps", run.first_step == 0 ? count_text(run.total_steps)
                                                      : fmt::format("{}, of which {} are done",
                                                                    count_text(run.total_steps),
                                                                    count_text(run.first_step)));
  if (run.total_tokens) text += fact("tokens", count_text(*run.total_tokens));
  const double share = run.all_parameters > 0 ? static_cast<double>(run.trainable_parameters) /
                                                    static_cast<double>(run.all_parameters)
                                              : 0;
  text += fact("trainable parameters",
               fmt::format("{} of {} ({:.4f} %)", count_text(run.trainable_parameters),
                           count_text(run.all_parameters), share * 100));
  return text;
}

std::string start_header(const EvaluationStarted& evaluation) {
  const std::string name = evaluation.name.empty() ? "" : " of " + evaluation.name;
  return "***** Running evaluation" + name + " *****\n" +
         fact("examples", count_text(evaluation.records)) +
         fact("batch", plural(evaluation.records_per_batch, "record"));
}

std::string log_line(const Logged& logged, const Pace& pace, bool utf8) {
  const std::string_view separator = utf8 ? " \u00b7 " : " | ";
  std::string line = fmt::format("step {}/{}", logged.entry.step, logged.total_steps);
  for (const Metric& metric : logged.entry.metrics) {
    line += separator;
    line += metric_text(metric);
  }
  line += fmt::format("{}epoch {}", separator, number_text(logged.entry.epoch));
  if (logged.kind != Logged::Kind::train) return line;
  const auto rate = pace.tokens_per_second();
  line += fmt::format("{}{} tok/s", separator, rate ? rate_text(*rate) : std::string("-"));
  if (const auto left = pace.seconds_left()) {
    line += fmt::format("{}ETA {}", separator, clock_text(*left));
  }
  return line;
}

void LineConsole::run_started(const RunStarted& event) {
  pace_.start(event);
  write_lines(start_header(event));
}

void LineConsole::step_finished(const StepFinished& event) {
  pace_.step(event);
}

void LineConsole::evaluation_started(const EvaluationStarted& event) {
  write_lines(start_header(event));
}

void LineConsole::logged(const Logged& event) {
  // The summary is shown as a block by run_finished.
  if (event.kind == Logged::Kind::summary) return;
  write_lines(log_line(event, pace_, utf8_) + "\n");
}

void LineConsole::checkpoint_saved(const CheckpointSaved& event) {
  write_lines(fmt::format("saved {} ({}, {})\n", event.path, bytes_text(event.size_bytes),
                          short_time_text(event.seconds)));
}

void LineConsole::run_finished(const RunFinished& event) {
  if (!event.metrics.empty()) write_lines(metrics_block("train", event.metrics, event.epoch));
}

void LineConsole::noted(const Noted& event) {
  const std::string_view prefix = event.severity == Severity::warning ? "warning: " : "";
  write_lines(fmt::format("{}{}\n", prefix, event.text));
}

BarConsole::BarConsole(TextOutput& output, bool utf8, std::function<int()> columns)
    : LineConsole(output, utf8), columns_(std::move(columns)) {}

BarConsole::~BarConsole() {
  leave_bar();
}

void BarConsole::draw() {
  const int columns = std::max(1, columns_()) - 1;
  std::string text(1, '\r');
  text += progress_line(state_, columns, utf8());
  text += kEraseToEnd;
  output().write(text);
}

void BarConsole::draw_if_due(double elapsed_seconds) {
  if (drawn_at_ && elapsed_seconds < *drawn_at_ + kSecondsBetweenDrawings) return;
  drawn_at_ = elapsed_seconds;
  draw();
}

void BarConsole::leave_bar() {
  if (active_) output().write("\n");
  active_ = false;
}

void BarConsole::write_lines(std::string_view text) {
  if (!active_) {
    output().write(text);
    return;
  }
  output().write(std::string(kEraseLine).append(text));
  draw();
}

void BarConsole::run_started(const RunStarted& event) {
  LineConsole::run_started(event);
  state_ = ProgressState();
  state_.step = event.first_step;
  state_.total_steps = event.total_steps;
  drawn_at_.reset();
  active_ = true;
  draw();
}

void BarConsole::micro_step_finished(const MicroStepFinished& event) {
  state_.part = event.of > 0 ? static_cast<double>(event.done) / static_cast<double>(event.of) : 0;
  draw_if_due(event.elapsed_seconds);
}

void BarConsole::step_finished(const StepFinished& event) {
  LineConsole::step_finished(event);
  state_.step = event.step;
  state_.part = 0;
  state_.latest = ProgressState::Latest{event.loss, event.learning_rate};
  state_.tokens_per_second = pace().tokens_per_second();
  state_.seconds_left = pace().seconds_left();
  draw_if_due(event.elapsed_seconds);
}

void BarConsole::evaluation_started(const EvaluationStarted& event) {
  LineConsole::evaluation_started(event);
  state_ = ProgressState();
  state_.only_evaluates = true;
  state_.total_steps = event.records;
  drawn_at_.reset();
  active_ = true;
  draw();
}

void BarConsole::evaluation_progressed(const EvaluationProgressed& event) {
  if (state_.only_evaluates) {
    state_.step = event.records;
    state_.seconds_left = event.elapsed_seconds * static_cast<double>(event.of - event.records) /
                          static_cast<double>(std::max<std::int64_t>(event.records, 1));
    draw_if_due(event.elapsed_seconds);
    return;
  }
  state_.activity = fmt::format("evaluating {}/{}", event.records, event.of);
  draw_if_due(event.elapsed_seconds);
}

void BarConsole::evaluation_finished(const EvaluationFinished&) {
  state_.activity.clear();
  if (!state_.only_evaluates) return;
  draw();
  leave_bar();
}

void BarConsole::run_finished(const RunFinished& event) {
  draw();
  leave_bar();
  LineConsole::run_finished(event);
}

}  // namespace hone::report
