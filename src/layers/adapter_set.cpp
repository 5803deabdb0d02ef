#include "layers/adapter_set.h"

#include "base/error.h"

namespace hone::layers {

void AdapterSet::add(const Adapter& adapter) {
  const auto target = static_cast<std::size_t>(adapter.target);
  if (index_by_target_.size() <= target) index_by_target_.resize(target + 1, -1);
  HONE_ASSERT(index_by_target_[target] < 0, adapter.target);
  index_by_target_[target] = static_cast<int>(adapters_.size());
  adapters_.push_back(adapter);
}

const Adapter* AdapterSet::find(ParameterId target) const {
  const auto position = static_cast<std::size_t>(target);
  if (target == kNoParameter || position >= index_by_target_.size()) return nullptr;
  const int index = index_by_target_[position];
  return index < 0 ? nullptr : &adapters_[static_cast<std::size_t>(index)];
}

}  // namespace hone::layers
