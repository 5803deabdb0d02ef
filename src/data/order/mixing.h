// Which rows of several data sets are taken, and in which order they stand in the merged data:
// LLaMA-Factory's num_samples, max_samples and mix_strategy (@ ff6d4d12, data/loader.py and
// data_utils.py, and the package `datasets` below them).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/order/numpy_random.h"

namespace hone::data {

enum class MixStrategy {
  concat,            // one set after another
  interleave_under,  // by turns, until the first set ends
  interleave_over,   // by turns, until every set has ended once; short ones start again
  interleave_once    // by turns, every row once; a set that has ended is left out
};

// Of large data there are many, so they are small.
struct RowRef {
  std::int32_t set = 0;
  std::int32_t row = 0;
  bool operator==(const RowRef& other) const = default;
};

// num_samples: the first of a random permutation, and beyond the set's size random rows more.
std::vector<std::int64_t> draw_rows(NumpyLegacyGenerator& random, std::int64_t rows,
                                    std::int64_t wanted);

// Merges the rows taken of each set (none is empty). By turns is a strict round robin, or with
// `probabilities` (one a set) a draw from default_rng(seed). One set stays as it is. `streamed`: as
// `datasets` merges iterable sets, whose round robin stops within a round.
std::vector<RowRef> mix_rows(const std::vector<std::vector<std::int64_t>>& taken,
                             MixStrategy strategy, std::span<const double> probabilities,
                             std::uint64_t seed, bool streamed = false);

}  // namespace hone::data
