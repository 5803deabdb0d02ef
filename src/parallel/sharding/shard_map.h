// Which rank owns which elements of the flat space of trained parameters
// (parameters/flat_layout.h): whose state it keeps, whose gradients it sums, whose weights it
// updates.
//
// Boundaries lie on segments of the gradient norm (ops/squared_norm.h), so that no cut changes its
// partial sums, nor an optimizer whose grain divides a segment. The segments that begin in one unit
// are dealt to all ranks in runs, so that reducing or gathering a unit loads every rank's link
// alike; what does not divide goes to the ranks that own least so far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ops/squared_norm.h"
#include "parallel/collectives/parts.h"
#include "parameters/flat_layout.h"

namespace hone::parallel {

// Consecutive elements of the flat space.
struct FlatRun {
  std::int64_t first = 0;
  std::int64_t elements = 0;

  bool operator==(const FlatRun&) const = default;
};

class ShardMap {
 public:
  ShardMap(const ParameterRegistry& registry, const FlatLayout& layout, int ranks,
           std::int64_t grain_elements = ops::SquaredNorm::kSegmentElements);

  int ranks() const { return ranks_; }
  std::int64_t elements() const { return elements_; }

  // The whole space; neighbours of one owner are one part.
  const std::vector<Part>& parts() const { return parts_; }

  // The parts of a run, counted from the run's first element.
  std::vector<Part> parts_within(const FlatRun& run) const;

  // The parts counted in segments of the norm instead of elements.
  std::vector<Part> segment_parts() const;

  // What a rank owns, in rising order. Held end to end it is the rank's shard.
  std::vector<FlatRun> owned(int rank) const;
  std::int64_t owned_elements(int rank) const;

  // How many of a rank's elements lie before `element`: its place in the shard.
  std::int64_t owned_before(int rank, std::int64_t element) const;

 private:
  void deal(std::int64_t first_segment, std::int64_t segments, std::int64_t grain);
  void append(int owner, std::int64_t elements);

  int ranks_;
  std::int64_t elements_;
  std::vector<Part> parts_;
  std::vector<std::int64_t> owned_;  // by rank
};

// The runs of the flat space that a unit trains, in rising order, by unit.
std::vector<std::vector<FlatRun>> unit_runs(const ParameterRegistry& registry,
                                            const FlatLayout& layout);

// The unit's elements, all runs together.
std::int64_t elements_of(const std::vector<FlatRun>& runs);

}  // namespace hone::parallel
