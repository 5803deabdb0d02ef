// Products with one short side, on the vector units: LoRA's, which the vendor's library does badly.
//
// A block makes a tile of kTile x kTile outputs: out(i, j) = sum over k of left(i, k) right(j, k),
// k in rising order, so that nothing but the shape decides the bits. Both sides go through the
// local data share in pieces of kTile along k.
//
// Problem has members rows, columns, depth and functions, all of the device:
//   float left(t, i, k), float right(t, j, k)      called within the extents only
//   void put(t, i, j, sum)                         once for every output
// and kName.
#pragma once

#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {

constexpr int kTile = 16;
// A column of a tile lies in a bank of its own.
constexpr int kTileStride = kTile + 1;
// Of a block; so many outputs each are kept in registers.
constexpr int kLeastThreads = 64;

template <class Problem>
struct TileProductKernel {
  static constexpr std::string_view kName = Problem::kName;
  struct Shared {
    SharedArray<float, kTile * kTileStride> left;
    SharedArray<float, kTile * kTileStride> right;
  };
  static constexpr int kMostOutputs = kTile * kTile / kLeastThreads;

  Problem problem;
  std::int32_t tiles_across;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const auto block = static_cast<std::int32_t>(t.block());
    const std::int64_t first_row = std::int64_t{block / tiles_across} * kTile;
    const std::int64_t first_column = std::int64_t{block % tiles_across} * kTile;
    float sums[kMostOutputs] = {};
    for (std::int64_t k = 0; k < problem.depth; k += kTile) {
      fetch(t, shared, first_row, first_column, k);
      t.barrier();
      for (int n = 0; n < kMostOutputs; ++n) {
        const int output = t.index() + n * t.threads();
        if (output >= kTile * kTile) break;
        const int row = output / kTile * kTileStride, column = output % kTile * kTileStride;
        GPU_KEEP_LOOP
        for (int d = 0; d < kTile; ++d) sums[n] += shared.left[row + d] * shared.right[column + d];
      }
      t.barrier();
    }
    for (int n = 0; n < kMostOutputs; ++n) {
      const int output = t.index() + n * t.threads();
      if (output >= kTile * kTile) break;
      const std::int64_t row = first_row + output / kTile;
      const std::int64_t column = first_column + output % kTile;
      if (row < problem.rows && column < problem.columns) problem.put(t, row, column, sums[n]);
    }
  }

  // Beyond the extents: zeros. Neighbouring threads take neighbours along the side that lies
  // together in memory, which the problem says.
  GPU_DEVICE void fetch(const Thread& t, Shared& shared, std::int64_t first_row,
                        std::int64_t first_column, std::int64_t first_k) const {
    GPU_KEEP_LOOP
    for (int e = t.index(); e < kTile * kTile; e += t.threads()) {
      const int slow = e / kTile, fast = e % kTile;
      const int i = Problem::kLeftAlongDepth ? slow : fast;
      const int left_d = Problem::kLeftAlongDepth ? fast : slow;
      const bool left_inside = first_row + i < problem.rows && first_k + left_d < problem.depth;
      shared.left[i * kTileStride + left_d] =
          left_inside ? problem.left(t, first_row + i, first_k + left_d) : 0.0f;
      const int j = Problem::kRightAlongDepth ? slow : fast;
      const int right_d = Problem::kRightAlongDepth ? fast : slow;
      const bool right_inside =
          first_column + j < problem.columns && first_k + right_d < problem.depth;
      shared.right[j * kTileStride + right_d] =
          right_inside ? problem.right(t, first_column + j, first_k + right_d) : 0.0f;
    }
  }
};

template <class Problem>
void launch_tiles(const Launcher& launcher, const Problem& problem) {
  const auto across = narrow_count(parts_of(problem.columns, kTile));
  const int threads = launcher.threads_for(kTile * kTile);
  HONE_ASSERT(threads >= kLeastThreads, threads);
  launcher.launch(parts_of(problem.rows, kTile) * across, threads,
                  TileProductKernel<Problem>{problem, across});
}

}  // namespace hone::kernels::gpu
