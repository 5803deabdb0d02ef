#include "parallel/sharding/gathered_parameters.h"

#include <cstring>

#include "base/error.h"

namespace hone::parallel {

GatheredParameters::GatheredParameters(const ShardingContext& context, DType dtype,
                                       ParameterSource& frozen)
    : context_(context),
      frozen_(frozen),
      slots_(context.registry, context.layout, context.tied_embedding, dtype,
             Category::master_weights, "gathered weights") {
  shard_buffers_.add(shard_, "trained weights: shard", Category::master_weights, dtype,
                     {context.map.owned_elements(context.collectives.rank())});
}

void GatheredParameters::forget() {
  context_.thread.wait_for_all();
  for (Slot& slot : held_) {
    HONE_ASSERT(slot.users == 0, slot.holds);
    slot.holds = -1;
  }
}

// A slot that is in use stays as it is: the unit is then fetched when it is acquired.
bool GatheredParameters::fetch(Unit unit) {
  if (unit < kEmbeddingUnit || unit > context_.registry.head_unit()) return false;
  if (slots_.runs(unit).empty()) return false;
  Slot& slot = held_[slots_.slot_of(unit)];
  if (slot.holds == unit) return true;
  if (slot.users > 0) return false;
  slot.holds = unit;
  slot.ticket = context_.thread.submit([this, unit] { gather(unit); });
  return true;
}

void GatheredParameters::gather(Unit unit) {
  const int rank = context_.collectives.rank();
  const std::vector<FlatRun>& runs = slots_.runs(unit);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<Part> parts = context_.map.parts_within(runs[i]);
    const TensorView values = slots_.run(unit, i);
    std::int64_t from = context_.map.owned_before(rank, runs[i].first);
    for (const Part& part : parts) {
      if (part.owner != rank) continue;
      const TensorView own = shard_.slice(from, part.elements);
      std::memcpy(values.slice(part.first, part.elements).raw(), own.raw(), own.bytes());
      if (done_with_) done_with_(own);
      from += part.elements;
    }
    context_.collectives.all_gather(values, parts);
  }
}

void GatheredParameters::announce(Unit unit) {
  frozen_.announce(unit);
  fetch(unit);
}

void GatheredParameters::acquire(Unit unit) {
  frozen_.acquire(unit);
  if (slots_.runs(unit).empty()) return;
  const bool fetched = fetch(unit);
  HONE_ASSERT(fetched, unit);
  Slot& slot = held_[slots_.slot_of(unit)];
  ++slot.users;
  context_.thread.wait(slot.ticket);
}

void GatheredParameters::release(Unit unit) {
  frozen_.release(unit);
  if (!slots_.runs(unit).empty()) --held_[slots_.slot_of(unit)].users;
}

ConstTensorView GatheredParameters::get(ParameterId id) {
  const Parameter& parameter = context_.registry.at(id);
  if (!parameter.trainable) return frozen_.get(id);
  const Slot& slot = held_[slots_.slot_of(parameter.unit)];
  HONE_ASSERT(slot.users > 0 && slot.holds == parameter.unit, parameter.name);
  return slots_.parameter(id);
}

}  // namespace hone::parallel
