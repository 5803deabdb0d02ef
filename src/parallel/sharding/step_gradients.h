// The gradients of a step, summed over all ranks as the backward passes finish them.
//
// Stages 0 and 1 keep the rank's own gradients whole, add up over its micro-steps, and reduce once,
// during the last pass; stage 0 leaves the sums of everything on every rank, stage 1 those of what
// a rank owns. From stage 2 on only the shard is kept: a unit's gradients live in a slot until they
// are reduced into it, in every pass. Sums are in rank order (collectives.h): with one micro-step
// per step all stages give the same bits.
// A unit is reduced when all of its parameters are finished, by the collective thread, while the
// walk goes on with the next one.
//
// Calls: begin_step(); then for each micro-step begin_pass() and a backward pass - on every rank
// equally often, with an empty micro-step where there is nothing to do, as reductions must meet;
// then complete().
#pragma once

#include <memory>
#include <vector>

#include "parallel/collectives/collectives.h"
#include "parallel/sharding/collective_thread.h"
#include "parallel/sharding/shard_map.h"
#include "parameters/contracts.h"

namespace hone::parallel {

// DeepSpeed's name for what ranks share out: 0 nothing, 1 optimizer state, 2 gradients too,
// 3 weights too.
enum class Stage { replicated = 0, optimizer_state = 1, gradients = 2, parameters = 3 };

// References of a rank's sharding; all outlive what is made with them.
struct ShardingContext {
  const ParameterRegistry& registry;
  const FlatLayout& layout;
  const ShardMap& map;
  Collectives& collectives;
  CollectiveThread& thread;
  bool tied_embedding = false;  // the head uses the embedding's weight
};

class StepGradients : public GradientSink {
 public:
  virtual const BufferList& buffers() const = 0;

  virtual void begin_step(Device& device) = 0;
  virtual void begin_pass(bool last_of_step) = 0;
  // After the last pass: returns when every sum is there.
  virtual void complete() = 0;

  // The sums, after complete(): all of the flat space, of which only the rank's own parts are
  // valid beyond stage 0; or, from stage 2 on, the rank's shard.
  virtual const TensorView& sums() const = 0;
  virtual bool whole() const = 0;
};

std::unique_ptr<StepGradients> make_step_gradients(Stage stage, const ShardingContext& context);

// The rank's own run `run` of sums() or of weights held likewise.
TensorView own_run(const TensorView& held, bool whole, const ShardMap& map, int rank,
                   const FlatRun& run);

}  // namespace hone::parallel
