#include "base/shape.h"

#include <algorithm>

#include "base/error.h"

namespace hone {

Shape::Shape(std::initializer_list<std::int64_t> extents) {
  HONE_ASSERT(extents.size() <= kMaxRank, extents.size());
  for (const std::int64_t extent : extents) HONE_ASSERT(extent >= 0, extent);
  std::copy(extents.begin(), extents.end(), extents_.begin());
  rank_ = static_cast<int>(extents.size());
}

std::int64_t Shape::operator[](int axis) const {
  const int from_start = axis < 0 ? axis + rank_ : axis;
  HONE_ASSERT(from_start >= 0 && from_start < rank_, axis, rank_);
  return extents_[static_cast<std::size_t>(from_start)];
}

std::int64_t Shape::elements() const {
  std::int64_t product = 1;
  for (int axis = 0; axis < rank_; ++axis) product *= extents_[static_cast<std::size_t>(axis)];
  return product;
}

std::int64_t Shape::columns() const {
  std::int64_t product = 1;
  for (int axis = 1; axis < rank_; ++axis) product *= extents_[static_cast<std::size_t>(axis)];
  return product;
}

std::string Shape::to_text() const {
  std::string text = "[";
  for (int axis = 0; axis < rank_; ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(extents_[static_cast<std::size_t>(axis)]);
  }
  return text + "]";
}

}  // namespace hone
