// Extents of a tensor, outermost first. At most four of them, held in place.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace hone {

class Shape {
 public:
  static constexpr int kMaxRank = 4;

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);

  int rank() const { return rank_; }
  std::int64_t operator[](int axis) const;  // negative axes count from the end
  std::int64_t elements() const;            // 1 for rank 0
  std::int64_t columns() const;             // product of all extents but the first; 1 for rank <= 1
  std::string to_text() const;              // "[3, 16, 64]"

  bool operator==(const Shape& other) const = default;

 private:
  std::array<std::int64_t, kMaxRank> extents_ = {};
  int rank_ = 0;
};

}  // namespace hone
