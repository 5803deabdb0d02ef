#include "optimizers/optimizer.h"

#include <algorithm>

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

std::vector<Segment> held_segments(const std::vector<Segment>& segments,
                                   std::span<const HeldRun> held, bool whole_weights,
                                   bool whole_gradients) {
  std::vector<Segment> result;
  std::int64_t place = 0;
  for (const HeldRun& run : held) {
    for (const Segment& segment : segments) {
      const std::int64_t begin = std::max(segment.first, run.first);
      const std::int64_t end = std::min(segment.first + segment.elements, run.first + run.elements);
      if (end <= begin) continue;
      const std::int64_t offset = begin - place;
      result.push_back({place, end - begin, segment.weight_decay, whole_weights ? offset : 0,
                        whole_gradients ? offset : 0, offset});
      place += end - begin;
    }
  }
  return result;
}

std::vector<Segment> in_pieces(const std::vector<Segment>& segments, std::int64_t elements) {
  std::vector<Segment> pieces;
  for (const Segment& segment : segments) {
    for (std::int64_t begin = 0; begin < segment.elements; begin += elements) {
      Segment piece = segment;
      piece.first += begin;
      piece.elements = std::min(elements, segment.elements - begin);
      pieces.push_back(piece);
    }
  }
  return pieces;
}

}  // namespace hone::optimizers
