// Which records each step trains on: LLaMA-Factory's order and arithmetic as a pure function of the
// step number, so that a resumed run needs to know nothing else.
//
// Words: a logical batch is `batch_size` consecutive records of the epoch's order (the last of an
// epoch may be shorter); a round is one logical batch for each rank; a step takes `accumulation`
// rounds. What is left of an epoch after its last whole step is one more, shorter step: nothing is
// dropped and nothing carried into the next epoch. No record is repeated to fill up a rank.
//
// Arithmetic (transformers' trainer): with L rounds in an epoch, an epoch has U = max(1, ceil(L /
// accumulation)) steps. Total steps = max_steps if positive, else ceil(epochs x U) in doubles. The
// epoch value after a step is its epoch's number plus the finished part of its rounds.
#pragma once

#include <cstdint>
#include <vector>

#include "data/batches/packed_batch.h"

namespace hone::data {

struct ScheduleOptions {
  std::int64_t records = 0;       // of the training data, at least 1
  std::int64_t batch_size = 1;    // per_device_train_batch_size
  std::int64_t accumulation = 1;  // gradient_accumulation_steps
  std::int64_t ranks = 1;
  double epochs = 3.0;  // num_train_epochs; used when max_steps <= 0
  std::int64_t max_steps = -1;
  bool shuffle = true;     // false: disable_shuffling, the order of the data
  std::int64_t seed = 42;  // data_seed, or seed when that is unset; epoch e is ordered by seed + e
};

// One step's data, for all ranks together.
struct StepData {
  std::int64_t epoch = 0;            // counted from 0
  std::vector<StepRecord> records;   // in the epoch's order; logical_batch rises from 0
  std::int64_t logical_batches = 0;  // in this step
  double epoch_after = 0.0;          // epoch value when the step is done
  bool ends_epoch = false;
};

class Schedule {
 public:
  // Throws UserError when nothing can be trained (see torch_random_order for too many records).
  explicit Schedule(const ScheduleOptions& options);

  const ScheduleOptions& options() const { return options_; }
  std::int64_t total_steps() const { return total_steps_; }
  std::int64_t steps_per_epoch() const { return steps_per_epoch_; }
  // Epochs begun by the run: transformers' num_train_epochs as it reports it.
  std::int64_t epochs_begun() const;

  // Steps are counted from 0; any step, in any order. Remembers the order of the epoch asked last,
  // so that walking forward orders each epoch once.
  StepData step(std::int64_t index);

 private:
  const std::vector<std::int32_t>& order_of(std::int64_t epoch);

  ScheduleOptions options_;
  std::int64_t rounds_per_epoch_ = 0;
  std::int64_t steps_per_epoch_ = 0;
  std::int64_t total_steps_ = 0;
  std::int64_t ordered_epoch_ = -1;
  std::vector<std::int32_t> order_;
};

// Evaluation: every record once, in the order of the data, `batches_per_step` logical batches (over
// all ranks) dealt together.
Schedule evaluation_schedule(std::int64_t records, std::int64_t batch_size,
                             std::int64_t batches_per_step);

}  // namespace hone::data
