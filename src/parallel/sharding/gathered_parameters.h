// ZeRO 3: each rank keeps its shard of the trained weights; a unit is gathered when the walk wants
// it, ahead of time where it was announced, and its room is given to others afterwards.
//
// Frozen parameters come from another source, which is told of every unit too.
#pragma once

#include <utility>
#include <vector>

#include "memory/done_with.h"
#include "parallel/sharding/step_gradients.h"
#include "parallel/sharding/unit_slots.h"
#include "parameters/contracts.h"

namespace hone::parallel {

class GatheredParameters final : public ParameterSource {
 public:
  // `dtype` of the trained weights. All references must outlive this object.
  GatheredParameters(const ShardingContext& context, DType dtype, ParameterSource& frozen);

  const BufferList& buffers() const { return slots_.buffers(); }
  // The shard, which may lie elsewhere than the slots.
  const BufferList& shard_buffers() const { return shard_buffers_; }

  // Who is told of a shard's parts that have been sent.
  void tell(DoneWith done_with) { done_with_ = std::move(done_with); }

  // This rank's weights, its owned runs end to end.
  const TensorView& shard() const { return shard_; }

  // To be called before the shard is changed: waits for what is being gathered, and forgets it.
  void forget();

  void announce(Unit unit) override;
  void acquire(Unit unit) override;
  void release(Unit unit) override;
  ConstTensorView get(ParameterId id) override;

 private:
  struct Slot {
    Unit holds = -1;  // or is being filled with
    CollectiveThread::Ticket ticket = 0;
    int users = 0;
  };
  bool fetch(Unit unit);
  void gather(Unit unit);

  ShardingContext context_;
  ParameterSource& frozen_;
  UnitSlots slots_;
  Slot held_[UnitSlots::kSlots];
  BufferList shard_buffers_;
  TensorView shard_;
  DoneWith done_with_;
};

}  // namespace hone::parallel
