// The numbers at the end of a training or an evaluation: train_results.json, eval_results.json,
// all_results.json, and the block on the console. Names, rounding and layout are transformers'
// (trainer_pt_utils, trainer_utils.speed_metrics).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/log_sink.h"
#include "report/log_entry.h"

namespace hone::report {

// `value` rounded to so many decimals as Python's round(): the nearest decimal of the exact value.
double rounded(double value, int decimals);

struct TrainTotals {
  double runtime_seconds = 0;
  double samples = 0;      // records trained on in that time; fractional with fractional epochs
  std::int64_t steps = 0;  // optimizer steps in that time
  double total_flops = 0;  // floating-point operations of the whole run
  Measured train_loss;
  // include_num_input_tokens_seen: tokens of the whole run, and those of this process.
  std::optional<std::int64_t> tokens_seen;
  std::int64_t tokens = 0;
  // include_effective_tokens_per_second: tokens of the records, without padding, per second.
  std::optional<double> effective_tokens_per_second;
};

// train_runtime (4 decimals), train_samples_per_second and train_steps_per_second (3), total_flos,
// train_loss, and with token counts num_input_tokens_seen, train_tokens_per_second,
// effective_tokens_per_sec. A runtime of 0 has no rates.
Metrics train_metrics(const TrainTotals& totals);

struct EvaluationTotals {
  double runtime_seconds = 0;
  std::int64_t samples = 0;
  std::int64_t batches = 0;  // of per_device_eval_batch_size records, what "steps" counts here
  Metrics measures;          // names without prefix: {"loss", 1.25}, {"loss_batch_mean", 1.5}
};

// `<prefix>_loss` and the other measures, then `<prefix>_runtime`, `<prefix>_samples_per_second`,
// `<prefix>_steps_per_second`. The prefix is "eval", or "eval_<name>" with several sets.
Metrics evaluation_metrics(const EvaluationTotals& totals, std::string_view prefix = "eval");

// The content of <split>_results.json: indent 4, keys sorted, no line end after it. `epoch` is
// among the keys when it is given (not after an evaluation without training).
std::string results_text(const Metrics& metrics, std::optional<double> epoch);

// The content of all_results.json: the object in `existing` (the file's text; empty when there is
// none), updated with these. An `existing` that is not a JSON object is left behind with a warning.
std::string all_results_text(std::string_view existing, const Metrics& metrics,
                             std::optional<double> epoch, LogSink& log);

// "***** train metrics *****" and one line per metric, sorted, aligned, each with a line end.
std::string metrics_block(std::string_view split, const Metrics& metrics,
                          std::optional<double> epoch);

}  // namespace hone::report
