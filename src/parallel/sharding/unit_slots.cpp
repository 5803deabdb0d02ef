#include "parallel/sharding/unit_slots.h"

#include <algorithm>

#include "base/error.h"

namespace hone::parallel {

UnitSlots::UnitSlots(const ParameterRegistry& registry, const FlatLayout& layout,
                     bool tied_embedding, DType dtype, Category category, const std::string& what)
    : registry_(registry),
      layout_(layout),
      tied_embedding_(tied_embedding),
      runs_(unit_runs(registry, layout)) {
  std::int64_t sizes[kSlots] = {0, 0, 0};
  for (Unit unit = kEmbeddingUnit; unit <= registry.head_unit(); ++unit) {
    std::int64_t& size = sizes[slot_of(unit)];
    size = std::max(size, elements_of(runs(unit)));
  }
  for (int slot = 0; slot < kSlots; ++slot) {
    if (sizes[slot] == 0) continue;
    buffers_.add(slots_[slot], what + " in use, slot " + std::to_string(slot), category, dtype,
                 {sizes[slot]});
  }
}

int UnitSlots::slot_of(Unit unit) const {
  return unit == kEmbeddingUnit && tied_embedding_ ? 2 : unit % 2;
}

TensorView UnitSlots::unit(Unit unit) const {
  const std::int64_t elements = elements_of(runs(unit));
  return elements == 0 ? TensorView() : slots_[slot_of(unit)].slice(0, elements);
}

TensorView UnitSlots::run(Unit unit, std::size_t index) const {
  const FlatRun& run = runs(unit)[index];
  return slots_[slot_of(unit)].slice(place(unit, run.first), run.elements);
}

TensorView UnitSlots::parameter(ParameterId id) const {
  const Parameter& parameter = registry_.at(id);
  const FlatRange& range = layout_.range_of(id);
  return slots_[slot_of(parameter.unit)]
      .slice(place(parameter.unit, range.first), range.elements)
      .reshape(parameter.shape);
}

std::int64_t UnitSlots::place(Unit unit, std::int64_t element) const {
  std::int64_t before = 0;
  for (const FlatRun& run : runs(unit)) {
    if (element < run.first + run.elements) return before + element - run.first;
    before += run.elements;
  }
  HONE_ASSERT(false, unit, element);
  return 0;
}

}  // namespace hone::parallel
