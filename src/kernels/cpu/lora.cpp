// The narrow products of LoRA. Threads share rows where each row has its own result (h, d_h, y,
// d_x), and columns where a result sums over all rows (d_a, d_b): no partial sums, and the same
// bits for any number of threads.
#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/lora.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/dropout.h"
#include "kernels/cpu/narrow_product.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// to[i][j] = or += sum over l of left[i][l] * right[l][j]
void add_wide(const ConstTensorView& left, Rows<const float> right, Rows<float> to,
              std::int64_t columns, bool accumulate) {
  tile_product({left.data<float>(), left.row_stride(), 1}, right, to, left.rows(), columns,
               left.columns(), accumulate);
}

// to[r][j] += sum over t of left[t][r] * right[t][j]
void add_outer(const ConstTensorView& left, Rows<const float> right, Rows<float> to,
               std::int64_t columns) {
  tile_product({left.data<float>(), 1, left.row_stride()}, right, to, left.columns(), columns,
               left.rows(), true);
}

// to[i] = or += from[i] * factors[i]
void put_times(const float* from, const float* factors, float* to, std::int64_t count,
               bool accumulate) {
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const std::int64_t left = count - i;
    const VF start = accumulate ? load_up_to(to + i, left) : hn::Zero(DF());
    store_up_to(hn::MulAdd(load_up_to(from + i, left), load_up_to(factors + i, left), start),
                to + i, left);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(add_wide);
HWY_EXPORT(add_outer);
HWY_EXPORT(put_times);

namespace {

constexpr std::int64_t kRowsPerTask = 16;
constexpr std::int64_t kColumnsPerTask = 64;
// Rows whose kColumnsPerTask columns stay in the first cache while all of R passes over them.
constexpr std::int64_t kRowsInCache = 64;

std::int64_t tasks_of(std::int64_t items, std::int64_t per_task) {
  return (items + per_task - 1) / per_task;
}

std::int64_t padded_columns(std::int64_t columns) {
  return (columns + kFactorPadding - 1) / kFactorPadding * kFactorPadding;
}

// b [O, R] as [R, O], times scale: vectors along O. Rows are padded_columns(O) apart.
Rows<const float> transposed(const ConstTensorView& b, double scale, float* space) {
  const std::int64_t stride = padded_columns(b.rows());
  for (std::int64_t o = 0; o < b.rows(); ++o) {
    for (std::int64_t r = 0; r < b.columns(); ++r) {
      space[r * stride + o] = static_cast<float>(scale * b.row<float>(o)[r]);
    }
  }
  return {space, stride};
}

// Rows [first, first + rows) of x times their dropout factors.
void drop_rows(const ops::Dropout& dropout, const ConstTensorView& x, std::int64_t first,
               std::int64_t rows, float* factors, float* to) {
  for (std::int64_t i = 0; i < rows; ++i) {
    dropout_row(dropout, first + i, 0, x.columns(), factors);
    HWY_DYNAMIC_DISPATCH(put_times)
    (x.row<float>(first + i), factors, to + i * x.columns(), x.columns(), false);
  }
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext& context, const ops::LoraDown& op) {
  if (!op.dropout.active()) return 0;
  const std::int64_t columns = op.x.columns();
  return array_bytes<float>(context.threads * padded_columns(columns)) +
         array_bytes<float>(context.threads * kRowsPerTask * columns);
}

void run(ops::OpContext& context, const ops::LoraDown& op) {
  const std::int64_t columns = op.x.columns();
  const bool drops = op.dropout.active();
  Scratch scratch(context.scratch);
  auto* factors = scratch.take<float>(drops ? context.threads * padded_columns(columns) : 0);
  auto* dropped = scratch.take<float>(drops ? context.threads * kRowsPerTask * columns : 0);
  parallel_tasks(context.threads, tasks_of(op.x.rows(), kRowsPerTask),
                 [&](std::int64_t task, int thread) {
                   const std::int64_t first = task * kRowsPerTask;
                   const std::int64_t rows = std::min(kRowsPerTask, op.x.rows() - first);
                   ConstTensorView x = op.x.slice(first, rows);
                   if (drops) {
                     float* space = dropped + thread * kRowsPerTask * columns;
                     drop_rows(op.dropout, op.x, first, rows,
                               factors + thread * padded_columns(columns), space);
                     x = ConstTensorView(space, DType::f32, {rows, columns});
                   }
                   dot_products(x, op.a, op.h.slice(first, rows), false, 0, op.a.rows());
                 });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::LoraUp& op) {
  return array_bytes<float>(op.b.columns() * padded_columns(op.b.rows()));
}

namespace {

// Generation has a row or two: then turning b around costs more than the product.
constexpr std::int64_t kFewRows = 2;

void up_few_rows(int threads, const ops::LoraUp& op) {
  const std::int64_t rank = op.b.columns();
  const auto scale = static_cast<float>(op.scale);
  parallel_ranges(threads, op.b.rows(), row_grain(rank),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = 0; t < op.y.rows(); ++t) {
                      const float* h = op.h.row<float>(t);
                      float* y = op.y.row<float>(t);
                      for (std::int64_t o = first; o < last; ++o) {
                        const float* b = op.b.row<float>(o);
                        float sum = 0.0f;
                        for (std::int64_t r = 0; r < rank; ++r) sum += h[r] * b[r];
                        y[o] = op.accumulate ? y[o] + scale * sum : scale * sum;
                      }
                    }
                  });
}

}  // namespace

void run(ops::OpContext& context, const ops::LoraUp& op) {
  if (op.y.rows() <= kFewRows) {
    up_few_rows(context.threads, op);
    return;
  }
  Scratch scratch(context.scratch);
  auto* space = scratch.take<float>(op.b.columns() * padded_columns(op.b.rows()));
  const Rows<const float> b = transposed(op.b, op.scale, space);
  parallel_tasks(context.threads, tasks_of(op.y.rows(), kRowsPerTask), [&](std::int64_t task, int) {
    const std::int64_t first = task * kRowsPerTask;
    const std::int64_t rows = std::min(kRowsPerTask, op.y.rows() - first);
    HWY_DYNAMIC_DISPATCH(add_wide)
    (op.h.slice(first, rows), b, {op.y.row<float>(first), op.y.row_stride()}, op.y.columns(),
     op.accumulate);
  });
}

std::size_t scratch_bytes(const ops::OpContext& context, const ops::LoraUpBackward& op) {
  return array_bytes<float>(op.b.columns() * padded_columns(op.b.rows())) +
         array_bytes<float>(context.threads * op.b.columns() * kColumnsPerTask);
}

void run(ops::OpContext& context, const ops::LoraUpBackward& op) {
  const std::int64_t rank = op.b.columns();
  const std::int64_t outputs = op.b.rows();
  const std::int64_t rows = op.d_y.rows();
  Scratch scratch(context.scratch);
  auto* space = scratch.take<float>(rank * padded_columns(outputs));
  auto* sums = scratch.take<float>(context.threads * rank * kColumnsPerTask);
  const Rows<const float> b = transposed(op.b, op.scale, space);
  const ConstTensorView b_rows(b.data, DType::f32, {rank, outputs}, b.stride);
  parallel_tasks(context.threads, tasks_of(rows, kRowsPerTask), [&](std::int64_t task, int) {
    const std::int64_t first = task * kRowsPerTask;
    const std::int64_t count = std::min(kRowsPerTask, rows - first);
    dot_products(op.d_y.slice(first, count), b_rows, op.d_h.slice(first, count), false, 0, rank);
  });
  parallel_tasks(
      context.threads, tasks_of(outputs, kColumnsPerTask), [&](std::int64_t task, int thread) {
        const std::int64_t column = task * kColumnsPerTask;
        const std::int64_t columns = std::min(kColumnsPerTask, outputs - column);
        float* sum = sums + thread * rank * kColumnsPerTask;
        std::memset(sum, 0, static_cast<std::size_t>(rank * kColumnsPerTask) * sizeof(float));
        for (std::int64_t t = 0; t < rows; t += kRowsInCache) {
          HWY_DYNAMIC_DISPATCH(add_outer)
          (op.h.slice(t, std::min(kRowsInCache, rows - t)),
           {op.d_y.row<float>(t) + column, op.d_y.row_stride()}, {sum, kColumnsPerTask}, columns);
        }
        for (std::int64_t o = 0; o < columns; ++o) {
          float* d_b = op.d_b.row<float>(column + o);
          for (std::int64_t r = 0; r < rank; ++r) {
            d_b[r] += static_cast<float>(op.scale * sum[r * kColumnsPerTask + o]);
          }
        }
      });
}

namespace {

// What one thread needs to drop a block of kRowsInCache rows by kColumnsPerTask columns.
struct DropBlock {
  float* factors;
  float* values;

  static constexpr std::int64_t kStride = kColumnsPerTask;
  static constexpr std::int64_t kElements = kRowsInCache * kStride;
};

// Rows [first, first + rows) and columns [column, column + columns) of the backward of h = x A^T.
void down_backward_block(const ops::LoraDownBackward& op, std::int64_t first, std::int64_t rows,
                         std::int64_t column, std::int64_t columns, const DropBlock& block) {
  const bool drops = op.dropout.active();
  const ConstTensorView d_h = op.d_h.slice(first, rows);
  Rows<const float> x = {op.x.row<float>(first) + column, op.x.row_stride()};
  if (drops) {
    for (std::int64_t t = 0; t < rows; ++t) {
      float* factors = block.factors + t * DropBlock::kStride;
      dropout_row(op.dropout, first + t, column, columns, factors);
      HWY_DYNAMIC_DISPATCH(put_times)
      (x.at(t, 0), factors, block.values + t * DropBlock::kStride, columns, false);
    }
    x = {block.values, DropBlock::kStride};
  }
  HWY_DYNAMIC_DISPATCH(add_outer)
  (d_h, x, {op.d_a.data<float>() + column, op.d_a.row_stride()}, columns);
  if (!op.d_x.present()) return;
  const Rows<const float> a = {op.a.data<float>() + column, op.a.row_stride()};
  const Rows<float> d_x = {op.d_x.row<float>(first) + column, op.d_x.row_stride()};
  if (!drops) {
    HWY_DYNAMIC_DISPATCH(add_wide)(d_h, a, d_x, columns, op.accumulate);
    return;
  }
  HWY_DYNAMIC_DISPATCH(add_wide)(d_h, a, {block.values, DropBlock::kStride}, columns, false);
  for (std::int64_t t = 0; t < rows; ++t) {
    HWY_DYNAMIC_DISPATCH(put_times)
    (block.values + t * DropBlock::kStride, block.factors + t * DropBlock::kStride, d_x.at(t, 0),
     columns, op.accumulate);
  }
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext& context, const ops::LoraDownBackward& op) {
  if (!op.dropout.active()) return 0;
  return 2 * array_bytes<float>(context.threads * DropBlock::kElements);
}

void run(ops::OpContext& context, const ops::LoraDownBackward& op) {
  const std::int64_t elements = op.dropout.active() ? context.threads * DropBlock::kElements : 0;
  Scratch scratch(context.scratch);
  auto* factors = scratch.take<float>(elements);
  auto* values = scratch.take<float>(elements);
  const std::int64_t rows = op.x.rows();
  parallel_tasks(context.threads, tasks_of(op.x.columns(), kColumnsPerTask),
                 [&](std::int64_t task, int thread) {
                   const std::int64_t at = elements == 0 ? 0 : thread * DropBlock::kElements;
                   const std::int64_t column = task * kColumnsPerTask;
                   const std::int64_t columns = std::min(kColumnsPerTask, op.x.columns() - column);
                   for (std::int64_t t = 0; t < rows; t += kRowsInCache) {
                     down_backward_block(op, t, std::min(kRowsInCache, rows - t), column, columns,
                                         {factors + at, values + at});
                   }
                 });
}

}  // namespace hone::kernels::cpu
#endif
