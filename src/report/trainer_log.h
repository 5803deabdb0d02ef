// trainer_log.jsonl: one line per log entry, as LLaMA-Factory's LogCallback writes it.
//
// Keys in this order, those without value left out: current_steps, total_steps, loss, eval_loss,
// predict_loss, reward, accuracy, lr, epoch, percentage, elapsed_time, remaining_time, and with
// token counts throughput, total_tokens. Python's json.dumps spacing and numbers. A loss that is
// null (a step without labels) is left out as well.
//
// One difference, in resumed runs only: remaining_time and throughput count the steps and tokens
// of this process, as elapsed_time does; LLaMA-Factory divides those of the whole run by it.
#pragma once

#include <cstdint>
#include <string>

#include "base/log_sink.h"
#include "report/events.h"

namespace hone::report {

// One line with its line end. `first_step` and `first_tokens`: done before this process.
struct LogLineContext {
  std::int64_t first_step = 0;
  std::int64_t first_tokens = 0;
  bool with_tokens = false;
};
std::string trainer_log_line(const Logged& logged, const LogLineContext& context);

// Writes the file as the run goes, and makes it with its first line: each line is handed to the
// system whole and at once, so that a kill loses the last line at most. A file that cannot be
// written costs a warning, once, and not the run.
class TrainerLog : public Listener {
 public:
  enum class Start {
    append,  // keeps what an earlier run left
    anew,    // deletes it (overwrite_output_dir)
    // Keeps the lines up to RunStarted::first_step of the run that is resumed, and what lies
    // before that run, and cuts off the lines after it: they are written again. So is the summary
    // of a run that was stopped after it, or that now goes on.
    resume,
  };

  // `with_tokens`: include_num_input_tokens_seen. `log` outlives this.
  TrainerLog(std::string path, Start start, bool with_tokens, LogSink& log);
  ~TrainerLog() override;
  TrainerLog(const TrainerLog&) = delete;
  TrainerLog& operator=(const TrainerLog&) = delete;

  void run_started(const RunStarted& event) override;
  void logged(const Logged& event) override;
  // Closes the file: an evaluation after training is not in it.
  void run_finished(const RunFinished& event) override;

 private:
  void open(bool make);
  void write(const std::string& text);
  void give_up(int error_number);
  void close();

  std::string path_;
  Start start_;
  LogSink& log_;
  LogLineContext context_;
  int descriptor_ = -1;
  bool is_new_ = false;  // not there yet; the first line makes it
};

// How many bytes of such a file stay: everything but a torn last line (no line end) and, when
// `keep_to_step` is not negative, the lines of the last run in it that are beyond that step, and
// its summary at that step. A run begins at the first line and wherever current_steps falls.
std::size_t kept_log_bytes(const std::string& text, std::int64_t keep_to_step);

}  // namespace hone::report
