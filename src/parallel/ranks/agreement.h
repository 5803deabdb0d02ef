// What must be the same on all ranks, compared before anything long begins.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "parallel/ranks/key_value_store.h"

namespace hone::parallel {

// Names and values: version, configuration, data.
using RankFacts = std::vector<std::pair<std::string, std::string>>;

// Compares every rank's facts with rank 0's. Throws UserError with all differences, naming both
// sides; every rank that comes this far throws the same. `what` keeps rounds apart: no two of a run
// have the same.
void compare_between_ranks(KeyValueStore& store, const std::string& what, int rank, int ranks,
                           const RankFacts& facts, std::chrono::milliseconds limit);

}  // namespace hone::parallel
