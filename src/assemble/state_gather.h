// Flat arrays of which each rank holds its own runs, read by rank 0 piece by piece: how state that
// nobody has whole gets into files.
//
// Rank 0 fetches what it wants, in any order, and says when it is done; meanwhile the others
// serve(). All ranks add the same arrays in the same order.
#pragma once

#include <cstdint>
#include <vector>

#include "base/tensor_view.h"
#include "checkpoint/flat_values.h"
#include "parallel/collectives/collectives.h"
#include "parallel/sharding/shard_map.h"

namespace hone::assemble {

class StateGather {
 public:
  // References must outlive this object, and what it hands out.
  StateGather(const parallel::ShardMap& map, parallel::Collectives& collectives)
      : map_(map), collectives_(collectives) {}
  StateGather(const StateGather&) = delete;
  StateGather& operator=(const StateGather&) = delete;

  // `held`: this rank's runs, end to end. The array as a whole; to be read on rank 0 alone.
  checkpoint::FlatValues add(const TensorView& held);

  // Rank 0: the others' serve() returns.
  void done();
  // All other ranks.
  void serve();

 private:
  // What rank 0 wants of the others.
  struct Request {
    std::int64_t array = -1;  // -1: nothing any more
    std::int64_t first = 0;
    std::int64_t elements = 0;
  };
  void announce(Request& request);
  // Puts together, on rank 0 in `whole`, what the ranks hold of a run.
  void collect(const TensorView& held, std::int64_t first, const TensorView& whole);
  void fetch(std::int64_t array, std::int64_t first, const TensorView& to);

  const parallel::ShardMap& map_;
  parallel::Collectives& collectives_;
  std::vector<TensorView> arrays_;
};

}  // namespace hone::assemble
