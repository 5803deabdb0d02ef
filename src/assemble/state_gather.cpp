#include "assemble/state_gather.h"

#include <cstring>

#include "base/error.h"

namespace hone::assemble {

checkpoint::FlatValues StateGather::add(const TensorView& held) {
  HONE_ASSERT(held.elements() == map_.owned_elements(collectives_.rank()), held.elements());
  const auto array = static_cast<std::int64_t>(arrays_.size());
  arrays_.push_back(held);
  return {held.dtype(), map_.elements(),
          [this, array](std::int64_t first, const TensorView& to) { fetch(array, first, to); }};
}

void StateGather::announce(Request& request) {
  collectives_.broadcast(TensorView(&request, DType::u8, {sizeof request}), 0);
}

void StateGather::done() {
  Request request;
  announce(request);
}

void StateGather::fetch(std::int64_t array, std::int64_t first, const TensorView& to) {
  Request request{array, first, to.elements()};
  announce(request);
  collect(arrays_[static_cast<std::size_t>(array)], first, to);
}

void StateGather::serve() {
  while (true) {
    Request request;
    announce(request);
    if (request.array < 0) return;
    const TensorView& held = arrays_[static_cast<std::size_t>(request.array)];
    std::vector<std::byte> space(static_cast<std::size_t>(request.elements) *
                                 size_bytes(held.dtype()));
    collect(held, request.first, TensorView(space.data(), held.dtype(), {request.elements}));
  }
}

void StateGather::collect(const TensorView& held, std::int64_t first, const TensorView& whole) {
  const int rank = collectives_.rank();
  const std::vector<parallel::Part> parts = map_.parts_within({first, whole.elements()});
  std::int64_t from = map_.owned_before(rank, first);
  for (const parallel::Part& part : parts) {
    if (part.owner != rank) continue;
    const TensorView own = held.slice(from, part.elements);
    std::memcpy(whole.slice(part.first, part.elements).raw(), own.raw(), own.bytes());
    from += part.elements;
  }
  collectives_.gather(whole, parts, 0);
}

}  // namespace hone::assemble
