// Working space of attention. Tiles, one thread's: rows of `padded` (the head width rounded up) or
// kQueryTile elements.
#pragma once

#include <cstddef>

#include "kernels/cpu/attention_tiles.h"
#include "kernels/cpu/scratch.h"

namespace hone::kernels::cpu {

// Cuts one thread's share out of the space of all threads.
class ThreadSpace {
 public:
  ThreadSpace(std::byte* spaces, int thread, std::size_t bytes)
      : next_(spaces + static_cast<std::size_t>(thread) * bytes) {}

  float* take(std::int64_t elements) {
    auto* array = reinterpret_cast<float*>(next_);
    next_ += array_bytes<float>(elements);
    return array;
  }

 private:
  std::byte* next_;
};

struct ForwardSpace {
  float* q_columns;  // [E, kQueryTile]
  float* sums;       // [kQueryTile, padded]
  float* scores;     // [kKeyTile, kQueryTile]
  float* v_rows;     // [kKeyTile, padded]

  static std::size_t bytes(std::int64_t width) {
    const std::int64_t padded = padded_width(width);
    return array_bytes<float>(width * kQueryTile) + array_bytes<float>(kQueryTile * padded) +
           array_bytes<float>(kKeyTile * kQueryTile) + array_bytes<float>(kKeyTile * padded);
  }

  ForwardSpace(std::byte* spaces, int thread, std::int64_t width) {
    const std::int64_t padded = padded_width(width);
    ThreadSpace space(spaces, thread, bytes(width));
    q_columns = space.take(width * kQueryTile);
    sums = space.take(kQueryTile * padded);
    scores = space.take(kKeyTile * kQueryTile);
    v_rows = space.take(kKeyTile * padded);
  }
};

// What a segment of a cache gives for one query head: the largest score, the sum of
// exp(score - largest), and that sum weighted by the rows of v.
struct DecodePart {
  float* largest;
  float* sum;
  float* weighted;  // [E]

  static std::int64_t elements(std::int64_t width) { return padded_width(width) + kWidthPadding; }

  DecodePart(float* parts, std::int64_t index, std::int64_t width)
      : largest(parts + index * elements(width)),
        sum(largest + 1),
        weighted(largest + kWidthPadding) {}
};

struct BackwardSpace {
  float* q_columns;      // [E, kQueryTile], times scale
  float* q_rows;         // [kQueryTile, padded], times scale
  float* d_out_columns;  // [E, kQueryTile]
  float* d_out_rows;     // [kQueryTile, padded]
  float* d_q;            // [kQueryTile, padded]
  float* p;              // [kKeyTile, kQueryTile]
  float* d_scores;       // [kKeyTile, kQueryTile]
  float* k_rows;         // [kKeyTile, padded]

  static std::size_t bytes(std::int64_t width) {
    const std::int64_t padded = padded_width(width);
    return 2 * array_bytes<float>(width * kQueryTile) +
           3 * array_bytes<float>(kQueryTile * padded) +
           2 * array_bytes<float>(kKeyTile * kQueryTile) + array_bytes<float>(kKeyTile * padded);
  }

  BackwardSpace(std::byte* spaces, int thread, std::int64_t width) {
    const std::int64_t padded = padded_width(width);
    ThreadSpace space(spaces, thread, bytes(width));
    q_columns = space.take(width * kQueryTile);
    d_out_columns = space.take(width * kQueryTile);
    q_rows = space.take(kQueryTile * padded);
    d_out_rows = space.take(kQueryTile * padded);
    d_q = space.take(kQueryTile * padded);
    p = space.take(kKeyTile * kQueryTile);
    d_scores = space.take(kKeyTile * kQueryTile);
    k_rows = space.take(kKeyTile * padded);
  }
};

}  // namespace hone::kernels::cpu
