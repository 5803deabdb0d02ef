// The figures of a run for TensorBoard, as transformers' TensorBoardCallback gives them: every
// number of a log entry, `eval_x` as eval/x and any other as train/x (train/loss,
// train/learning_rate, train/grad_norm, train/epoch; at the end train/train_runtime and its kin),
// and two texts at the start, `args` and `model_config`. One difference: an entry without value
// (a step without labels) has no point, where transformers draws NaN.
//
// Files: <folder>/events.out.tfevents.<seconds since 1970>.<host>.<process>.hone-<mark>, the mark
// being a hash of output_dir. A resumed run goes on in the folder that it began in, with a file of
// its own that tells readers where it takes over; what older files of the same mark hold beyond
// that step, and a torn end, is cut off.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/log_sink.h"
#include "report/events.h"

namespace hone::report {

struct TensorBoardOptions {
  std::string output_dir;   // absolute
  std::string logging_dir;  // empty: runs/<start>_<host> inside output_dir
  bool resume = false;
  // Shown under "Text"; no secrets in them.
  std::vector<std::pair<std::string, std::string>> texts;
  std::function<double()> wall_seconds;  // since 1970; empty: the system's clock
};

// "train/loss", "eval/runtime".
std::string tensorboard_tag(const std::string& key);

// What cannot be written costs a warning, once, and not the run.
class TensorBoardLog : public Listener {
 public:
  // `log` outlives this.
  TensorBoardLog(TensorBoardOptions options, LogSink& log);
  ~TensorBoardLog() override;
  TensorBoardLog(const TensorBoardLog&) = delete;
  TensorBoardLog& operator=(const TensorBoardLog&) = delete;

  // Of this run's file: known from its first event on.
  const std::string& folder() const { return folder_; }

  void run_started(const RunStarted& event) override;
  // Also what is evaluated after run_finished.
  void logged(const Logged& event) override;

 private:
  double now() const;
  std::string mark() const;
  std::string folder_to_resume() const;
  void cut_older(std::int64_t first_step);
  void open();
  void write(const std::string& message);
  void give_up(const std::string& file, const std::string& why);

  TensorBoardOptions options_;
  LogSink& log_;
  std::string folder_;
  std::string path_;
  int descriptor_ = -1;
  bool failed_ = false;
};

}  // namespace hone::report
