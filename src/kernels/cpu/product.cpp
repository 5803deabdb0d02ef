// Large products are oneDNN's; those with few rows are narrow_product.h's. Weights of 16 bits are
// widened panel by panel into scratch that stays in cache: the library's own 16-bit products are
// slower than its f32 ones on processors without instructions for them.
#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/narrow_product.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu/widen.h"

namespace hone::kernels::cpu {
namespace {

struct Matrix {
  const float* data;
  std::int64_t stride;
  bool transposed;

  // Row `row` and column `column` of the matrix as the product sees it.
  const float* at(std::int64_t row, std::int64_t column) const {
    return transposed ? data + column * stride + row : data + row * stride + column;
  }
};

void multiply(const Matrix& a, const Matrix& b, bool accumulate, float* c, std::int64_t c_stride,
              const ops::ProductExtents& extents) {
  const dnnl_status_t status = dnnl_sgemm(a.transposed ? 'T' : 'N', b.transposed ? 'T' : 'N',
                                          extents.m, extents.n, extents.k, 1.0f, a.data, a.stride,
                                          b.data, b.stride, accumulate ? 1.0f : 0.0f, c, c_stride);
  HONE_ASSERT(status == dnnl_success, status, extents.m, extents.n, extents.k, a.stride, b.stride,
              c_stride);
}

// A piece of c that one thread computes. Pieces depend on the shape alone, so threads change no
// bits; and a thread that a neighbour holds up delays its piece only.
struct Pieces {
  std::int64_t rows, columns;
};

// Even parts of `items`, each at most about `largest` and a multiple of 16 but the last.
std::int64_t even_part(std::int64_t items, std::int64_t largest) {
  const std::int64_t parts = (items + largest - 1) / largest;
  return ((items + parts - 1) / parts + 15) / 16 * 16;
}

Pieces pieces_of(const ops::ProductExtents& extents) {
  // Columns: about four pieces, none so narrow or so wide that the library slows down. Where the
  // sums are long, the left side is read again for every piece, and wide ones are better.
  constexpr std::int64_t kLongSum = 8192;
  const std::int64_t narrowest = extents.k > kLongSum ? 288 : 96;
  const std::int64_t columns =
      even_part(extents.n, std::clamp<std::int64_t>(extents.n / 4, narrowest, 512));
  // Rows: cut where there are few columns, and for processors with many cores.
  const bool few_columns = extents.n <= 2 * columns;
  const std::int64_t most_rows =
      few_columns ? std::max<std::int64_t>(extents.m / 4, 64) : std::int64_t{1024};
  return {even_part(extents.m, most_rows), columns};
}

// The library runs on one thread inside a parallel region; a single thread is told to.
class OneLibraryThread {
 public:
  OneLibraryThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneLibraryThread() { omp_set_num_threads(before_); }
  OneLibraryThread(const OneLibraryThread&) = delete;
  OneLibraryThread& operator=(const OneLibraryThread&) = delete;

 private:
  int before_;
};

void multiply_in_pieces(int threads, const Matrix& a, const Matrix& b, bool accumulate, float* c,
                        std::int64_t c_stride, const ops::ProductExtents& extents) {
  const Pieces pieces = pieces_of(extents);
  const std::int64_t across = (extents.n + pieces.columns - 1) / pieces.columns;
  const std::int64_t down = (extents.m + pieces.rows - 1) / pieces.rows;
  const auto run_piece = [&](std::int64_t piece, int) {
    const std::int64_t row = piece / across * pieces.rows;
    const std::int64_t column = piece % across * pieces.columns;
    multiply({a.at(row, 0), a.stride, a.transposed}, {b.at(0, column), b.stride, b.transposed},
             accumulate, c + row * c_stride + column, c_stride,
             {std::min(pieces.rows, extents.m - row), std::min(pieces.columns, extents.n - column),
              extents.k});
  };
  if (threads == 1 || across * down == 1) {
    const OneLibraryThread one;
    parallel_tasks(1, across * down, run_piece);
  } else {
    parallel_tasks(threads, across * down, run_piece);
  }
}

// The library wants strides of at least a row even where there is only one.
std::int64_t stride_of(const ConstTensorView& view) {
  return std::max({view.row_stride(), view.columns(), std::int64_t{1}});
}

bool is_narrow(const ops::Product& op) {
  return op.c.rows() <= kNarrowRows && !op.transpose_a && op.transpose_b;
}

// Rows of b in a panel: two MiB of f32.
std::int64_t panel_rows(const ops::Product& op) {
  constexpr std::int64_t kPanelElements = 524288;
  const std::int64_t rows = kPanelElements / std::max<std::int64_t>(1, op.b.columns()) / 16 * 16;
  return std::clamp<std::int64_t>(rows, 16, std::max<std::int64_t>(16, op.b.rows()));
}

void widen_rows(int threads, const ConstTensorView& from, float* to) {
  const std::int64_t columns = from.columns();
  const auto* source = static_cast<const std::byte*>(from.raw());
  const auto row_bytes = from.row_stride() * static_cast<std::int64_t>(size_bytes(from.dtype()));
  parallel_ranges(threads, from.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t row = first; row < last; ++row) {
                      widen(from.dtype(), source + row * row_bytes, columns, to + row * columns);
                    }
                  });
}

// A panel of b's rows covers some columns of c, or, when b is not transposed, some of the terms.
void run_in_panels(ops::OpContext& context, const ops::Product& op) {
  const auto [m, n, k] = ops::extents(op);
  const std::int64_t rows_at_once = panel_rows(op);
  Scratch scratch(context.scratch);
  auto* panel = scratch.take<float>(rows_at_once * op.b.columns());
  const std::int64_t a_stride = stride_of(op.a);
  for (std::int64_t first = 0; first < op.b.rows(); first += rows_at_once) {
    const std::int64_t rows = std::min(rows_at_once, op.b.rows() - first);
    widen_rows(context.threads, op.b.slice(first, rows), panel);
    const Matrix b{panel, op.b.columns(), op.transpose_b};
    if (op.transpose_b) {
      multiply_in_pieces(context.threads, {op.a.data<float>(), a_stride, op.transpose_a}, b,
                         op.accumulate, op.c.data<float>() + first, stride_of(op.c), {m, rows, k});
    } else {
      const float* a = op.a.data<float>() + (op.transpose_a ? first * a_stride : first);
      multiply_in_pieces(context.threads, {a, a_stride, op.transpose_a}, b,
                         op.accumulate || first > 0, op.c.data<float>(), stride_of(op.c),
                         {m, n, rows});
    }
  }
}

void zero_rows(const TensorView& c) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    std::memset(c.row<float>(i), 0, static_cast<std::size_t>(c.columns()) * sizeof(float));
  }
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext&, const ops::Product& op) {
  if (op.b.dtype() == DType::f32 || is_narrow(op)) return 0;
  return array_bytes<float>(panel_rows(op) * op.b.columns());
}

void run(ops::OpContext& context, const ops::Product& op) {
  const auto [m, n, k] = ops::extents(op);
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!op.accumulate) zero_rows(op.c);
    return;
  }
  if (is_narrow(op)) {
    narrow_product(context.threads, op.a, op.b, op.c, op.accumulate);
    return;
  }
  if (op.b.dtype() != DType::f32) {
    run_in_panels(context, op);
    return;
  }
  multiply_in_pieces(context.threads, {op.a.data<float>(), stride_of(op.a), op.transpose_a},
                     {op.b.data<float>(), stride_of(op.b), op.transpose_b}, op.accumulate,
                     op.c.data<float>(), stride_of(op.c), {m, n, k});
}

}  // namespace hone::kernels::cpu
