// trainer_state.json: where a run stands, as transformers 5 writes it (trainer_callback), indent 2,
// keys sorted, a line end after it.
//
// What hone needs beyond that to go on with the same bits is one more entry of the object that
// transformers keeps for such things: stateful_callbacks.HoneLossTotals = {"args": {},
// "attributes": {"sum", "steps", "sum_since_log", "steps_since_log"}}. Append only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/log_history.h"

namespace hone::report {

struct TrainerState {
  std::int64_t global_step = 0;
  std::int64_t max_steps = 0;
  double epoch = 0;
  double num_train_epochs = 0;  // written rounded up to a whole number
  std::int64_t logging_steps = 500;
  std::int64_t eval_steps = 500;
  std::int64_t save_steps = 500;
  std::int64_t train_batch_size = 1;  // per device
  std::int64_t tokens_seen = 0;       // num_input_tokens_seen
  double total_flops = 0;             // total_flos
  std::optional<double> best_metric;
  std::optional<std::int64_t> best_global_step;
  std::optional<std::string> best_model_checkpoint;
  bool training_is_over = false;  // should_training_stop
  std::vector<LogEntry> log_history;
  LossTotals loss_totals;

  bool operator==(const TrainerState& other) const = default;
};

std::string trainer_state_text(const TrainerState& state);

// The inverse, for resumption. `file` is the name for errors. Throws UserError for what is not such
// a file: every key that hone reads must be there and of its type, except HoneLossTotals, which a
// file by transformers lacks (all zero then); keys that are not known are ignored.
TrainerState parse_trainer_state(std::string_view text, const std::string& file);

}  // namespace hone::report
