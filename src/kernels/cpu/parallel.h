// Threads for kernels. Work is cut the same way whatever the number of threads, or into parts whose
// results do not depend on where the cuts lie; so threads change no bits.
//
// SIMD code never contains a parallel region (compilers do not carry a function's instruction set
// over to the outlined body): regions are here, and call a dispatched function per part.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace hone::kernels::cpu {

// body(task, thread) for every task in [0, tasks); a free thread takes the next one.
template <class Body>
void parallel_tasks(int threads, std::int64_t tasks, const Body& body) {
  if (threads <= 1 || tasks <= 1) {
    for (std::int64_t task = 0; task < tasks; ++task) body(task, 0);
    return;
  }
  const int team = static_cast<int>(std::min<std::int64_t>(threads, tasks));
#pragma omp parallel num_threads(team)
  {
    const int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t task = 0; task < tasks; ++task) body(task, thread);
  }
}

// body(first, last) over parts of [0, items), one per thread, each a multiple of `grain` items but
// the last; small work stays in one thread.
template <class Body>
void parallel_ranges(int threads, std::int64_t items, std::int64_t grain, const Body& body) {
  const std::int64_t grains = (items + grain - 1) / grain;
  const std::int64_t team = std::min<std::int64_t>(std::max(threads, 1), grains);
  if (team <= 1) {
    if (items > 0) body(std::int64_t{0}, items);
    return;
  }
#pragma omp parallel for num_threads(static_cast<int>(team)) schedule(static, 1)
  for (std::int64_t part = 0; part < team; ++part) {
    const std::int64_t first = grains * part / team * grain;
    const std::int64_t last = std::min(items, grains * (part + 1) / team * grain);
    body(first, last);
  }
}

// Rows of `columns` elements that are worth waking a thread for.
inline std::int64_t row_grain(std::int64_t columns) {
  constexpr std::int64_t kElementsPerPart = 8192;
  return std::max<std::int64_t>(1, kElementsPerPart / std::max<std::int64_t>(1, columns));
}

// Rows of a block in reductions over tokens; their partial sums are added in the order of blocks.
constexpr std::int64_t kRowBlock = 64;

inline std::int64_t row_blocks(std::int64_t rows) {
  return (rows + kRowBlock - 1) / kRowBlock;
}

}  // namespace hone::kernels::cpu
