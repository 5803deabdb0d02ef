#include "parallel/collectives/parts.h"

namespace hone::parallel {

std::vector<Part> even_parts(std::int64_t elements, int ranks) {
  std::vector<Part> parts;
  std::int64_t first = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::int64_t size = elements / ranks + (rank < elements % ranks ? 1 : 0);
    parts.push_back({rank, first, size});
    first += size;
  }
  return parts;
}

std::int64_t owned_elements(std::span<const Part> parts, int rank) {
  std::int64_t sum = 0;
  for (const Part& part : parts) {
    if (part.owner == rank) sum += part.elements;
  }
  return sum;
}

}  // namespace hone::parallel
