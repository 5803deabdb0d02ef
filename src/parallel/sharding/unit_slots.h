// Room for the units that are in use at one moment, where no rank holds all of them.
//
// The walk has at most two neighbouring units in hand at once, so two slots that units take by
// turns are enough; a tied embedding, which the head uses too, has one of its own. A unit's trained
// parameters lie in its slot end to end, in the order of the flat space.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/buffer_list.h"
#include "parallel/sharding/shard_map.h"

namespace hone::parallel {

class UnitSlots {
 public:
  // `what` names the rows in the plan: "gradients", "gathered weights".
  UnitSlots(const ParameterRegistry& registry, const FlatLayout& layout, bool tied_embedding,
            DType dtype, Category category, const std::string& what);
  UnitSlots(const UnitSlots&) = delete;
  UnitSlots& operator=(const UnitSlots&) = delete;

  static constexpr int kSlots = 3;

  const BufferList& buffers() const { return buffers_; }
  int slot_of(Unit unit) const;
  const std::vector<FlatRun>& runs(Unit unit) const {
    return runs_[static_cast<std::size_t>(unit)];
  }

  // Once bound: all of a unit, one of its runs, one parameter in its own shape.
  TensorView unit(Unit unit) const;
  TensorView run(Unit unit, std::size_t index) const;
  TensorView parameter(ParameterId id) const;

 private:
  // Where an element of the flat space lies in its unit's slot.
  std::int64_t place(Unit unit, std::int64_t element) const;

  const ParameterRegistry& registry_;
  const FlatLayout& layout_;
  bool tied_embedding_;
  std::vector<std::vector<FlatRun>> runs_;
  BufferList buffers_;
  TensorView slots_[kSlots];
};

}  // namespace hone::parallel
