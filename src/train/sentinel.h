// The end of a run whose numbers are no numbers: found before weights are touched, and explained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sources/record.h"
#include "train/training_state.h"

namespace hone::train {

// What is known when a loss or gradient is not finite.
struct NonFinite {
  std::int64_t step = 0;  // from 1
  std::string what;       // "the loss", "the gradient norm", "the weights after the update"
  double learning_rate = 0.0;
  std::vector<data::RecordOrigin> records;  // of the step
};

// "records 3, 7 of a.json, 1 of b.json": as their files count them, in the order given; the
// first 16.
std::string list_records(const std::vector<data::RecordOrigin>& records,
                         const std::vector<std::string>& files);

// Looks for the first tensor that is at fault: a weight, else an activation of the last pass (over
// `last_pass_tokens` tokens), else a gradient, each in the order of the model. `files` are those
// that the records' origins count.
UserError explain_non_finite(const NonFinite& found, const std::vector<std::string>& files,
                             const TrainingState& state, ParameterSource& parameters,
                             std::int64_t last_pass_tokens);

// Throws, on all ranks, when a trainable weight of any is not finite: before anything is saved.
void refuse_non_finite_weights(std::int64_t step, const TrainingState& state);

}  // namespace hone::train
