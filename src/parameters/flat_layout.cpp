#include "parameters/flat_layout.h"

#include "base/error.h"

namespace hone {

FlatLayout::FlatLayout(const ParameterRegistry& registry)
    : range_index_(static_cast<std::size_t>(registry.size()), -1) {
  for (ParameterId id = 0; id < registry.size(); ++id) {
    if (!registry.at(id).trainable) continue;
    range_index_[static_cast<std::size_t>(id)] = static_cast<int>(ranges_.size());
    ranges_.push_back({id, elements_, registry.at(id).shape.elements()});
    elements_ += registry.at(id).shape.elements();
  }
}

const FlatRange& FlatLayout::range_of(ParameterId id) const {
  const int index = range_index_[static_cast<std::size_t>(id)];
  HONE_ASSERT(index >= 0, id);
  return ranges_[static_cast<std::size_t>(index)];
}

}  // namespace hone
