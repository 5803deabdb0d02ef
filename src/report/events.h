// What a run tells its listeners. The train loop makes these events and knows nothing of what
// becomes of them: console, progress bar, log files.
//
// Order of one run: run_started; then for every step micro_step_finished (any number of times),
// step_finished, logged (when the cadence asks for it), evaluation_progressed and
// evaluation_finished and logged (when an evaluation is due), checkpoint_saved (when a save is
// due); at the end run_finished, before it `logged` with the summary. `noted` may come at any time.
// All calls come from one thread.
//
// elapsed_seconds counts from the start of training in this process (model loading and
// tokenization not included); in a resumed run it starts again at 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/log_sink.h"
#include "report/log_entry.h"

namespace hone::report {

struct RunStarted {
  std::int64_t examples = 0;
  double epochs = 0;                   // num_train_epochs; may be fractional
  std::int64_t records_per_batch = 0;  // per_device_train_batch_size
  std::int64_t accumulation = 1;       // gradient_accumulation_steps
  std::int64_t ranks = 1;
  std::int64_t total_steps = 0;              // optimizer steps of the whole run
  std::int64_t first_step = 0;               // steps already done, when resumed
  std::int64_t tokens_seen = 0;              // real tokens of those steps
  std::optional<std::int64_t> total_tokens;  // real tokens of the whole run, where known
  std::int64_t trainable_parameters = 0;
  std::int64_t all_parameters = 0;
};

// Part of a step is done: only for what moves on a terminal.
struct MicroStepFinished {
  std::int64_t step = 0;  // the step it belongs to, counted from 1
  std::int64_t done = 0;  // micro-steps of this step done
  std::int64_t of = 0;
  double elapsed_seconds = 0;
};

// One optimizer update.
struct StepFinished {
  std::int64_t step = 0;         // counted from 1, over the whole run
  std::int64_t total_steps = 0;  // of the whole run
  double epoch = 0;              // completed fraction, counted in logical batches
  bool ends_epoch = false;
  std::optional<double> loss;       // mean over the step's label tokens; nothing without labels
  std::optional<double> grad_norm;  // before clipping; nothing when the step was empty
  double learning_rate = 0;         // the one that this step used
  std::int64_t tokens = 0;          // real tokens of this step, all ranks
  std::int64_t label_tokens = 0;    // of those, the ones that are learned from
  std::int64_t tokens_seen = 0;     // real tokens since step 1 of the whole run, all ranks
  std::int64_t micro_steps = 0;
  double seconds = 0;  // what this step took, without evaluation and saving
  double elapsed_seconds = 0;
  Metrics more;  // a loss's own measures, e.g. rewards/accuracies
};

// Only an evaluation without training says that it begins; evaluation_progressed and
// evaluation_finished follow, the latter without metrics where it was stopped, and nothing else.
struct EvaluationStarted {
  std::string name;  // of the set, where each is evaluated by itself
  std::int64_t records = 0;
  std::int64_t records_per_batch = 0;  // per_device_eval_batch_size
};

struct EvaluationProgressed {
  std::int64_t records = 0;  // done
  std::int64_t of = 0;
  double elapsed_seconds = 0;
};

struct EvaluationFinished {
  std::int64_t step = 0;
  double epoch = 0;
  Metrics metrics;  // eval_loss first, then the others in the order to show
  double elapsed_seconds = 0;
};

// An entry was added to the log history.
struct Logged {
  enum class Kind { train, evaluation, summary };
  Kind kind = Kind::train;
  LogEntry entry;
  std::int64_t total_steps = 0;
  std::int64_t tokens_seen = 0;
  double elapsed_seconds = 0;
};

struct CheckpointSaved {
  std::int64_t step = 0;
  std::string path;
  std::uint64_t size_bytes = 0;
  double seconds = 0;
};

struct RunFinished {
  std::int64_t step = 0;  // the last step done
  double epoch = 0;
  bool interrupted = false;  // a signal ended it; the run can be resumed
  Metrics metrics;           // the summary: train_runtime, ..., train_loss
  double elapsed_seconds = 0;
};

// A line for a person.
struct Noted {
  Severity severity = Severity::info;
  std::string text;
};

// Implemented by whatever wants to know; each event is ignored unless overridden.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void run_started(const RunStarted&) {}
  virtual void micro_step_finished(const MicroStepFinished&) {}
  virtual void step_finished(const StepFinished&) {}
  virtual void evaluation_started(const EvaluationStarted&) {}
  virtual void evaluation_progressed(const EvaluationProgressed&) {}
  virtual void evaluation_finished(const EvaluationFinished&) {}
  virtual void logged(const Logged&) {}
  virtual void checkpoint_saved(const CheckpointSaved&) {}
  virtual void run_finished(const RunFinished&) {}
  virtual void noted(const Noted&) {}
};

// Hands every event to each listener, in the order in which they were added. Owns none of them.
class ListenerList : public Listener {
 public:
  void add(Listener& listener) { listeners_.push_back(&listener); }

  void run_started(const RunStarted& event) override;
  void micro_step_finished(const MicroStepFinished& event) override;
  void step_finished(const StepFinished& event) override;
  void evaluation_started(const EvaluationStarted& event) override;
  void evaluation_progressed(const EvaluationProgressed& event) override;
  void evaluation_finished(const EvaluationFinished& event) override;
  void logged(const Logged& event) override;
  void checkpoint_saved(const CheckpointSaved& event) override;
  void run_finished(const RunFinished& event) override;
  void noted(const Noted& event) override;

 private:
  template <class Event>
  void tell(void (Listener::*method)(const Event&), const Event& event);

  std::vector<Listener*> listeners_;
};

}  // namespace hone::report
