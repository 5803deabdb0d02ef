#include <cstring>

#include "kernels/cpu/add_scaled.h"
#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"

namespace hone::kernels::cpu {

void run(ops::OpContext& context, const ops::GatherRows& op) {
  const auto row_bytes = static_cast<std::size_t>(op.x.columns()) * sizeof(float);
  if (row_bytes == 0) return;
  parallel_ranges(context.threads, op.y.rows(), row_grain(op.x.columns()),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      const std::int32_t row = op.rows[static_cast<std::size_t>(i)];
                      std::memcpy(op.y.row<float>(i), op.x.row<float>(row), row_bytes);
                    }
                  });
}

void run(ops::OpContext& context, const ops::ScatterAddRows& op) {
  const std::int64_t columns = op.d_x.columns();
  parallel_ranges(context.threads, op.d_y.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      const std::int32_t row = op.rows[static_cast<std::size_t>(i)];
                      add_scaled(op.d_y.row<float>(i), 1.0f, op.d_x.row<float>(row), columns);
                    }
                  });
}

}  // namespace hone::kernels::cpu
