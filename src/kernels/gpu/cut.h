// How elementwise work is cut into blocks.
#pragma once

#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {

struct NoShared {};

// Rows of elements, a thread each: every row has blocks of its own, so that a thread needs one
// division of the block's number to know its place. In 32 bits: a card divides 64 by a routine.
struct RowCut {
  std::int64_t columns = 0;
  std::int32_t parts = 0;  // blocks of a row
  int threads = 0;

  RowCut(const Launcher& launcher, std::int64_t row_columns)
      : columns(row_columns),
        parts(narrow_count(parts_of(row_columns, launcher.threads_for(row_columns)))),
        threads(launcher.threads_for(row_columns)) {}

  GPU_DEVICE std::int64_t row(const Thread& t) const {
    return static_cast<std::int32_t>(t.block()) / parts;
  }
  // May lie beyond the row: then the thread has nothing to do.
  GPU_DEVICE std::int64_t column(const Thread& t) const {
    return static_cast<std::int32_t>(t.block()) % parts * t.threads() + t.index();
  }
};

// A flat array of any length: threads go over it in strides of the whole launch, because the card
// counts no more than 2^32 threads.
struct FlatCut {
  std::int64_t count = 0;
  std::int64_t blocks = 0;
  int threads = 0;

  FlatCut(const Launcher& launcher, std::int64_t elements)
      : count(elements),
        blocks(std::min<std::int64_t>(parts_of(elements, launcher.threads_for(elements)),
                                      kMostBlocks)),
        threads(launcher.threads_for(elements)) {}

  // body(i) for every element of this thread.
  template <class Body>
  GPU_DEVICE void for_each(const Thread& t, const Body& body) const {
    const std::int64_t stride = t.blocks() * t.threads();
    for (std::int64_t i = t.block() * t.threads() + t.index(); i < count; i += stride) body(i);
  }

  static constexpr std::int64_t kMostBlocks = 65536;
};

}  // namespace hone::kernels::gpu
