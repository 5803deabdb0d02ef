// The trainable parameters laid end to end, in the order of the registry: the space in which
// gradients, optimizer state and shards live. Indices into it name elements for random numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "parameters/registry.h"

namespace hone {

struct FlatRange {
  ParameterId id;
  std::int64_t first;  // index of the parameter's element 0
  std::int64_t elements;
};

class FlatLayout {
 public:
  explicit FlatLayout(const ParameterRegistry& registry);

  const std::vector<FlatRange>& ranges() const { return ranges_; }
  std::int64_t elements() const { return elements_; }

  // The range of a trainable parameter.
  const FlatRange& range_of(ParameterId id) const;

 private:
  std::vector<FlatRange> ranges_;
  std::vector<int> range_index_;  // by id; -1 for frozen parameters
  std::int64_t elements_ = 0;
};

}  // namespace hone
