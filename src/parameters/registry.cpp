#include "parameters/registry.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace hone {

ParameterId ParameterRegistry::add(Parameter parameter) {
  const auto id = static_cast<ParameterId>(parameters_.size());
  HONE_ASSERT(parameter.unit >= kEmbeddingUnit && parameter.unit <= head_unit(), parameter.name);
  if (parameter.stacked) {
    HONE_ASSERT(
        !parameters_.empty() && parameters_.back().shape.columns() == parameter.shape.columns(),
        parameter.name);
  }
  const bool inserted = ids_.emplace(parameter.name, id).second;
  HONE_ASSERT(inserted, parameter.name);
  parameters_.push_back(std::move(parameter));
  return id;
}

void ParameterRegistry::set_trainable(ParameterId id, bool trainable) {
  parameters_[static_cast<std::size_t>(id)].trainable = trainable;
}

ParameterId ParameterRegistry::find(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? kNoParameter : found->second;
}

std::int64_t ParameterRegistry::elements() const {
  std::int64_t sum = 0;
  for (const Parameter& parameter : parameters_) sum += parameter.shape.elements();
  return sum;
}

std::int64_t ParameterRegistry::trainable_elements() const {
  std::int64_t sum = 0;
  for (const Parameter& parameter : parameters_) {
    if (parameter.trainable) sum += parameter.shape.elements();
  }
  return sum;
}

Unit ParameterRegistry::first_trainable_unit() const {
  Unit first = head_unit() + 1;
  for (const Parameter& parameter : parameters_) {
    if (parameter.trainable) first = std::min(first, parameter.unit);
  }
  return first;
}

}  // namespace hone
