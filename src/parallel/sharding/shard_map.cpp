#include "parallel/sharding/shard_map.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace hone::parallel {

ShardMap::ShardMap(const ParameterRegistry& registry, const FlatLayout& layout, int ranks,
                   std::int64_t grain_elements)
    : ranks_(ranks), elements_(layout.elements()), owned_(static_cast<std::size_t>(ranks), 0) {
  HONE_ASSERT(ranks >= 1 && grain_elements >= 1, ranks, grain_elements);
  const std::int64_t segments = (elements_ + grain_elements - 1) / grain_elements;
  const std::vector<FlatRange>& ranges = layout.ranges();
  std::size_t range = 0;
  std::int64_t first = 0;
  Unit unit = kEmbeddingUnit;
  for (std::int64_t segment = 0; segment < segments; ++segment) {
    while (ranges[range].first + ranges[range].elements <= segment * grain_elements) ++range;
    const Unit here = registry.at(ranges[range].id).unit;
    if (segment > first && here != unit) {
      deal(first, segment - first, grain_elements);
      first = segment;
    }
    unit = here;
  }
  if (segments > first) deal(first, segments - first, grain_elements);
}

void ShardMap::deal(std::int64_t first_segment, std::int64_t segments, std::int64_t grain) {
  std::vector<int> by_load(static_cast<std::size_t>(ranks_));
  std::iota(by_load.begin(), by_load.end(), 0);
  std::stable_sort(by_load.begin(), by_load.end(), [&](int a, int b) {
    return owned_[static_cast<std::size_t>(a)] < owned_[static_cast<std::size_t>(b)];
  });
  std::vector<std::int64_t> share(static_cast<std::size_t>(ranks_), segments / ranks_);
  for (std::int64_t i = 0; i < segments % ranks_; ++i) {
    ++share[static_cast<std::size_t>(by_load[static_cast<std::size_t>(i)])];
  }
  std::int64_t segment = first_segment;
  for (int rank = 0; rank < ranks_; ++rank) {
    const std::int64_t end = segment + share[static_cast<std::size_t>(rank)];
    append(rank, std::min(end * grain, elements_) - std::min(segment * grain, elements_));
    segment = end;
  }
}

void ShardMap::append(int owner, std::int64_t elements) {
  if (elements == 0) return;
  owned_[static_cast<std::size_t>(owner)] += elements;
  if (!parts_.empty() && parts_.back().owner == owner) {
    parts_.back().elements += elements;
    return;
  }
  const std::int64_t first = parts_.empty() ? 0 : parts_.back().first + parts_.back().elements;
  parts_.push_back({owner, first, elements});
}

std::vector<Part> ShardMap::parts_within(const FlatRun& run) const {
  std::vector<Part> within;
  for (const Part& part : parts_) {
    const std::int64_t begin = std::max(part.first, run.first);
    const std::int64_t end = std::min(part.first + part.elements, run.first + run.elements);
    if (end > begin) within.push_back({part.owner, begin - run.first, end - begin});
  }
  return within;
}

std::vector<Part> ShardMap::segment_parts() const {
  std::vector<Part> in_segments;
  std::int64_t first = 0;
  for (const Part& part : parts_) {
    HONE_ASSERT(part.first % ops::SquaredNorm::kSegmentElements == 0, part.first);
    const std::int64_t count = ops::segments(part.elements);
    in_segments.push_back({part.owner, first, count});
    first += count;
  }
  return in_segments;
}

std::vector<FlatRun> ShardMap::owned(int rank) const {
  std::vector<FlatRun> runs;
  for (const Part& part : parts_) {
    if (part.owner == rank) runs.push_back({part.first, part.elements});
  }
  return runs;
}

std::int64_t ShardMap::owned_elements(int rank) const {
  return owned_[static_cast<std::size_t>(rank)];
}

std::int64_t ShardMap::owned_before(int rank, std::int64_t element) const {
  std::int64_t sum = 0;
  for (const Part& part : parts_) {
    if (part.first >= element) break;
    if (part.owner == rank) sum += std::min(part.elements, element - part.first);
  }
  return sum;
}

std::vector<std::vector<FlatRun>> unit_runs(const ParameterRegistry& registry,
                                            const FlatLayout& layout) {
  std::vector<std::vector<FlatRun>> runs(static_cast<std::size_t>(registry.head_unit()) + 1);
  for (const FlatRange& range : layout.ranges()) {
    std::vector<FlatRun>& own = runs[static_cast<std::size_t>(registry.at(range.id).unit)];
    if (!own.empty() && own.back().first + own.back().elements == range.first) {
      own.back().elements += range.elements;
    } else {
      own.push_back({range.first, range.elements});
    }
  }
  return runs;
}

std::int64_t elements_of(const std::vector<FlatRun>& runs) {
  std::int64_t sum = 0;
  for (const FlatRun& run : runs) sum += run.elements;
  return sum;
}

}  // namespace hone::parallel
