#include "train/sentinel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "optimizers/gradient_norm.h"

namespace hone::train {
namespace {

// How many records an error names before it says how many more there are.
constexpr std::size_t kRecordsShown = 16;

bool all_finite(const ConstTensorView& view) {
  for (std::int64_t i = 0; i < view.elements(); ++i) {
    float value = 0.0f;
    switch (view.dtype()) {
      case DType::f32:
        value = view.data<float>()[i];
        break;
      case DType::bf16:
        value = to_float(view.data<BFloat16>()[i]);
        break;
      case DType::f16:
        value = to_float(view.data<Float16>()[i]);
        break;
      default:
        HONE_ASSERT(false, name(view.dtype()));
    }
    if (!std::isfinite(value)) return false;
  }
  return true;
}

std::string first_bad_weight(const TrainingState& state, ParameterSource& parameters) {
  const ParameterRegistry& registry = state.decoder.registry;
  for (Unit unit = kEmbeddingUnit; unit <= registry.head_unit(); ++unit) {
    const AcquiredUnit acquired(parameters, unit);
    for (ParameterId id = 0; id < registry.size(); ++id) {
      if (registry.at(id).unit == unit && !all_finite(parameters.get(id))) {
        return registry.at(id).name;
      }
    }
  }
  return {};
}

}  // namespace

std::string list_records(const std::vector<data::RecordOrigin>& records,
                         const std::vector<std::string>& files) {
  std::string text = records.size() == 1 ? "record " : "records ";
  const std::size_t shown = std::min(records.size(), kRecordsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last_of_file = i + 1 == shown || records[i + 1].file != records[i].file;
    text += std::to_string(records[i].number);
    if (last_of_file) text += " of " + files.at(static_cast<std::size_t>(records[i].file));
    if (i + 1 < shown) text += ", ";
  }
  if (records.size() > shown) text += " and " + std::to_string(records.size() - shown) + " more";
  return text;
}

UserError explain_non_finite(const NonFinite& found, const std::vector<std::string>& files,
                             const TrainingState& state, ParameterSource& parameters,
                             std::int64_t last_pass_tokens) {
  std::string where = found.what + " is not a number";
  const std::string weight = first_bad_weight(state, parameters);
  std::string remedy;
  if (!weight.empty()) {
    where += ": the weight '" + weight + "' holds a value that is not finite";
    remedy = found.step == 1 ? "use intact weights: download the model again"
                             : fmt::format(
                                   "lower learning_rate (it is {:g}), or set max_grad_norm, and "
                                   "resume from a checkpoint",
                                   found.learning_rate);
  } else {
    const std::string activation = state.walk.first_non_finite_activation(last_pass_tokens);
    const std::string gradient = state.ranks.first_non_finite_gradient();
    if (!activation.empty()) where += ": first seen in " + activation;
    if (activation.empty() && !gradient.empty())
      where += ": first seen in the gradient of '" + gradient + "'";
    remedy = "lower learning_rate, set max_grad_norm, and look at these records";
  }
  return UserError(
      {"step " + std::to_string(found.step) + ", " + list_records(found.records, files),
       where + "; no weight was changed by this step", remedy});
}

void refuse_non_finite_weights(std::int64_t step, const TrainingState& state) {
  const std::string name = state.ranks.first_non_finite_weight();
  if (!state.ranks.any(!name.empty())) return;
  const std::string holder = name.empty() ? "a weight of another rank" : "'" + name + "'";
  throw UserError(
      {"step " + std::to_string(step) + ": saving the weights",
       holder + " holds a value that is not finite, so nothing was saved",
       "lower learning_rate or set max_grad_norm, and resume from an earlier checkpoint"});
}

}  // namespace hone::train
