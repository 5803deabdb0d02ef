#include <cstring>

#include "kernels/cpu/add_scaled.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/widen.h"

namespace hone::kernels::cpu {

std::size_t scratch_bytes(const ops::OpContext&, const ops::BiasForward& op) {
  return array_bytes<float>(widened_elements(op.bias));
}

void run(ops::OpContext& context, const ops::BiasForward& op) {
  const std::int64_t columns = op.y.columns();
  Scratch scratch(context.scratch);
  const float* bias = widened(op.bias, scratch.take<float>(widened_elements(op.bias)));
  parallel_ranges(context.threads, op.y.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      add_scaled(bias, 1.0f, op.y.row<float>(t), columns);
                    }
                  });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::BiasBackward& op) {
  return array_bytes<float>(row_blocks(op.d_y.rows()) * op.d_y.columns());
}

void run(ops::OpContext& context, const ops::BiasBackward& op) {
  const std::int64_t rows = op.d_y.rows();
  const std::int64_t columns = op.d_y.columns();
  const std::int64_t blocks = row_blocks(rows);
  Scratch scratch(context.scratch);
  auto* partials = scratch.take<float>(blocks * columns);
  parallel_tasks(context.threads, blocks, [&](std::int64_t block, int) {
    float* partial = partials + block * columns;
    std::memset(partial, 0, static_cast<std::size_t>(columns) * sizeof(float));
    const std::int64_t last = std::min(rows, (block + 1) * kRowBlock);
    for (std::int64_t t = block * kRowBlock; t < last; ++t) {
      add_scaled(op.d_y.row<float>(t), 1.0f, partial, columns);
    }
  });
  for (std::int64_t block = 0; block < blocks; ++block) {
    add_scaled(partials + block * columns, 1.0f, op.d_bias.data<float>(), columns);
  }
}

}  // namespace hone::kernels::cpu
