// Who owns which elements of an array that all ranks know.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hone::parallel {

// A run of elements and the rank that owns it. Collectives take lists of parts in rising order that
// cover the array without gap or overlap; a rank may own several parts, or none.
struct Part {
  int owner = 0;
  std::int64_t first = 0;
  std::int64_t elements = 0;

  bool operator==(const Part&) const = default;
};

// One part for each rank; the first ranks get one element more where `elements` does not divide.
std::vector<Part> even_parts(std::int64_t elements, int ranks);

// Elements that a rank owns.
std::int64_t owned_elements(std::span<const Part> parts, int rank);

}  // namespace hone::parallel
