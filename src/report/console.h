// What a person sees of a run: lines in a file or a pipe, and on a terminal a progress bar below
// them. The app gives an output and says what the terminal can do.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "report/events.h"
#include "report/pace.h"
#include "report/progress_line.h"

namespace hone::report {

// Where text goes; implemented in apps/ and in tests. Must not throw: a closed terminal is no
// reason to lose a run.
class TextOutput {
 public:
  virtual ~TextOutput() = default;
  virtual void write(std::string_view text) = 0;
};

// The facts at the start of training, several lines with line ends, under the title that the
// field knows: "***** Running training *****".
std::string start_header(const RunStarted& run);
std::string start_header(const EvaluationStarted& evaluation);

// One entry of the log as a line without line end:
// "step 10/30 · loss 1.234 · grad_norm 0.91 · lr 5e-05 · epoch 0.33 · 301 tok/s · ETA 0:01:23".
// A value that is nothing reads "no labels", one that is not finite "not finite".
std::string log_line(const Logged& logged, const Pace& pace, bool utf8);

// Plain lines: start header, one line per log entry, checkpoint and note, metrics at the end.
class LineConsole : public Listener {
 public:
  LineConsole(TextOutput& output, bool utf8) : output_(output), utf8_(utf8) {}

  void run_started(const RunStarted& event) override;
  void step_finished(const StepFinished& event) override;
  void evaluation_started(const EvaluationStarted& event) override;
  void logged(const Logged& event) override;
  void checkpoint_saved(const CheckpointSaved& event) override;
  void run_finished(const RunFinished& event) override;
  void noted(const Noted& event) override;

 protected:
  // Writes text that consists of whole lines.
  virtual void write_lines(std::string_view text) { output_.write(text); }

  TextOutput& output() { return output_; }
  bool utf8() const { return utf8_; }
  const Pace& pace() const { return pace_; }

 private:
  TextOutput& output_;
  bool utf8_;
  Pace pace_;
};

// The same lines with a progress bar under them, on a terminal that knows carriage return and
// "erase to end of line" (ESC [ K). The bar is redrawn at most ten times a second, and never
// fills the last column, where some terminals wrap. When this ends without run_finished, the bar
// stays as it was last drawn and the cursor goes to a line of its own.
class BarConsole : public LineConsole {
 public:
  // `columns` is asked at every drawing, as terminals change their width.
  BarConsole(TextOutput& output, bool utf8, std::function<int()> columns);
  ~BarConsole() override;
  BarConsole(const BarConsole&) = delete;
  BarConsole& operator=(const BarConsole&) = delete;

  void run_started(const RunStarted& event) override;
  void micro_step_finished(const MicroStepFinished& event) override;
  void step_finished(const StepFinished& event) override;
  void evaluation_started(const EvaluationStarted& event) override;
  void evaluation_progressed(const EvaluationProgressed& event) override;
  void evaluation_finished(const EvaluationFinished& event) override;
  void run_finished(const RunFinished& event) override;

 protected:
  void write_lines(std::string_view text) override;

 private:
  void draw();
  void draw_if_due(double elapsed_seconds);
  void leave_bar();

  std::function<int()> columns_;
  ProgressState state_;
  bool active_ = false;  // from the start of a run or of an evaluation alone to its end
  std::optional<double> drawn_at_;
};

}  // namespace hone::report
