#include "memory/arena.h"

#include "base/error.h"

namespace hone {

Arena::Arena(Device& device, const Plan& plan)
    : device_(device), memory_(device, plan.arena_bytes()) {
  std::size_t run_offset = 0;
  for (const PlanRow& row : plan.rows()) {
    if (row.outside || row.lifetime != Lifetime::run) continue;
    places_[row.name] = {run_offset, row.bytes};
    run_offset += aligned_bytes(row.bytes);
  }
  for (const Lifetime lifetime : {Lifetime::block, Lifetime::head, Lifetime::update}) {
    std::size_t offset = run_offset;
    for (const PlanRow& row : plan.rows()) {
      if (row.outside || row.lifetime != lifetime) continue;
      places_[row.name] = {offset, row.bytes};
      offset += aligned_bytes(row.bytes);
    }
    HONE_ASSERT(offset <= memory_.bytes(), offset, memory_.bytes());
  }
}

void Arena::populate() {
  device_.populate(memory_.data(), memory_.bytes());
}

const Arena::Place& Arena::place(const std::string& name) const {
  const auto found = places_.find(name);
  HONE_ASSERT(found != places_.end(), name);
  return found->second;
}

TensorView Arena::take(const std::string& name, DType dtype, const Shape& shape) const {
  const Place& where = place(name);
  const TensorView view(static_cast<std::byte*>(memory_.data()) + where.offset, dtype, shape);
  HONE_ASSERT(view.bytes() == where.bytes, name, view.bytes(), where.bytes);
  return view;
}

}  // namespace hone
