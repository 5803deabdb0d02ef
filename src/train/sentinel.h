// The end of a run whose numbers are no numbers: found before weights are touched, and explained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "train/training_state.h"

namespace hone::train {

// What is known when a loss or gradient is not finite.
struct NonFinite {
  std::int64_t step = 0;  // from 1
  std::string what;       // "the loss", "the gradient norm", "the weights after the update"
  double learning_rate = 0.0;
  std::vector<std::int64_t> records;  // of the step, counted from 1
};

// Looks for the first tensor that is at fault: a weight, else an activation of the last pass (over
// `last_pass_tokens` tokens), else a gradient, each in the order of the model.
// model.
UserError explain_non_finite(const NonFinite& found, const TrainingState& state,
                             ParameterSource& parameters, std::int64_t last_pass_tokens);

// Throws when a trainable weight is not finite: before anything is saved.
void refuse_non_finite_weights(std::int64_t step, const TrainingState& state);

}  // namespace hone::train
