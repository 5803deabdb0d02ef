#include "optimizers/optimizer.h"

namespace hone::optimizers {

std::vector<Segment> decay_segments(const ParameterRegistry& registry, const FlatLayout& layout,
                                    double weight_decay) {
  std::vector<Segment> segments;
  for (const FlatRange& range : layout.ranges()) {
    const Role role = registry.at(range.id).role;
    const bool decays = role != Role::norm && role != Role::bias;
    const double decay = decays ? weight_decay : 0.0;
    if (!segments.empty() && segments.back().weight_decay == decay) {
      segments.back().elements += range.elements;
    } else {
      segments.push_back({range.first, range.elements, decay});
    }
  }
  return segments;
}

}  // namespace hone::optimizers
