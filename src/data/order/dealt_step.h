// A step's records, dealt: what one rank computes in a step, and how large micro-steps get.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/batches/encoded_dataset.h"
#include "data/batches/packed_batch.h"
#include "data/order/schedule.h"

namespace hone::data {

struct DealtStep {
  std::vector<std::vector<StepRecord>> micro_steps;  // of this rank; as many on every rank
  // Of the whole step, all ranks together:
  std::int64_t tokens = 0;
  std::int64_t counted_labels = 0;    // the divisor of the step's loss
  std::int64_t predicted_labels = 0;  // 0: the step has nothing to learn from
};

// Deals a step by the lengths in `sizes` (EncodedDataset::sizes); see data/batches/dealer.h.
DealtStep deal_step(const StepData& step, std::span<const RecordSize> sizes, int rank, int ranks,
                    std::int64_t micro_step_tokens);

struct MicroStepBounds {
  BatchCapacity capacity;        // each the largest over the run; not all in one micro-step
  std::int64_t micro_steps = 0;  // most in one step
  bool exact = true;             // false: the run was too long to walk, these are upper bounds
};

// What the micro-steps of the whole run need at most, over all ranks. Walks the run's order and
// deals every step, unless that is more than `walk_limit_records` records: then bounds that hold
// for any order of these records.
MicroStepBounds bound_micro_steps(Schedule schedule, std::span<const RecordSize> sizes,
                                  std::int64_t micro_step_tokens,
                                  std::int64_t walk_limit_records = 20'000'000);

}  // namespace hone::data
