// Second half of sums over tokens: a first kernel leaves one row of partial sums per block of rows,
// this one adds them in the order of blocks.
#pragma once

#include "kernels/gpu/cut.h"

namespace hone::kernels::gpu {

struct ColumnSumKernel {
  static constexpr std::string_view kName = "column_sum";
  using Shared = NoShared;
  Operand<const float> partials;  // [blocks, columns]
  Operand<float> sums;            // [columns]; accumulated
  std::int64_t blocks;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t column = cut.column(t);
    if (column >= cut.columns) return;
    float sum = 0.0f;
    for (std::int64_t block = 0; block < blocks; ++block) sum += load(t, partials, block, column);
    store(t, sums, column, 0, load(t, sums, column) + sum);
  }
};

inline void add_columns(const Launcher& launcher, const Operand<float>& partials,
                        std::int64_t blocks, const Operand<float>& sums, std::int64_t columns) {
  const RowCut cut(launcher, columns);
  launcher.launch(blocks == 0 ? 0 : cut.parts, cut.threads,
                  ColumnSumKernel{read_only(partials), sums, blocks, cut});
}

}  // namespace hone::kernels::gpu
