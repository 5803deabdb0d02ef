#include "memory/buffer_list.h"

#include <utility>

namespace hone {

void BufferList::add(TensorView& view, std::string name, Category category, DType dtype,
                     const Shape& shape, Lifetime lifetime) {
  const std::size_t bytes = static_cast<std::size_t>(shape.elements()) * size_bytes(dtype);
  buffers_.push_back({&view, {std::move(name), category, bytes, lifetime, false}, dtype, shape});
}

void BufferList::describe(Plan& plan) const {
  for (const Buffer& buffer : buffers_) plan.add(buffer.row);
}

void BufferList::bind(const Arena& arena) const {
  for (const Buffer& buffer : buffers_) {
    *buffer.view = arena.take(buffer.row.name, buffer.dtype, buffer.shape);
  }
}

}  // namespace hone
