// Weights of 16 bits are widened to f32 panel by panel: the library multiplies only matrices of one
// type, and activations are f32.
#include "kernels/rocm/product.h"

#include <algorithm>

#include "kernels/rocm/gpu_of.h"
#include "ops/elementwise.h"

namespace hone::kernels::rocm {
namespace {

// A panel of 64 MiB keeps the library busy and the working space small.
constexpr std::int64_t kPanelElements = std::int64_t{1} << 24;

std::int64_t panel_rows(const ops::Product& op) {
  const std::int64_t rows = kPanelElements / std::max<std::int64_t>(1, op.b.columns()) / 64 * 64;
  return std::min(std::max<std::int64_t>(64, rows), std::max<std::int64_t>(1, op.b.rows()));
}

// The library wants strides of at least a row even where there is only one.
template <class View>
std::int64_t stride_of(const View& view) {
  return std::max({view.row_stride(), view.columns(), std::int64_t{1}});
}

void zero(const TensorView& c) {
  for (std::int64_t i = 0; i < c.rows(); ++i) {
    std::fill_n(c.row<float>(i), c.columns(), 0.0f);
  }
}

// Rows of b as f32, in the working space. Where they have gaps, row by row.
void widen(ops::OpContext& context, const ConstTensorView& rows, float* to) {
  const auto cast = [&](const ConstTensorView& from, float* place) {
    ops::run(context, ops::Cast{from, TensorView(place, DType::f32, from.shape())});
  };
  if (rows.contiguous()) return cast(rows, to);
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    cast(rows.slice(i, 1), to + i * rows.columns());
  }
}

// A panel of b's rows covers some columns of c, or, when b is not transposed, some of the terms.
void run_in_panels(ops::OpContext& context, const ops::Product& op) {
  const auto [m, n, k] = ops::extents(op);
  hip::ProductLibrary& library = gpu_of(context).products();
  auto* panel = reinterpret_cast<float*>(context.scratch.data<std::uint8_t>());
  const std::int64_t a_stride = stride_of(op.a), c_stride = stride_of(op.c);
  for (std::int64_t first = 0; first < op.b.rows(); first += panel_rows(op)) {
    const std::int64_t rows = std::min(panel_rows(op), op.b.rows() - first);
    widen(context, op.b.slice(first, rows), panel);
    const hip::LibraryMatrix b = {panel, op.b.columns(), op.transpose_b};
    const float* a = op.a.data<float>();
    if (op.transpose_b) {
      library.multiply({m,
                        rows,
                        k,
                        {a, a_stride, op.transpose_a},
                        b,
                        op.c.data<float>() + first,
                        c_stride,
                        op.accumulate});
    } else {
      a += op.transpose_a ? first * a_stride : first;
      library.multiply({m,
                        n,
                        rows,
                        {a, a_stride, op.transpose_a},
                        b,
                        op.c.data<float>(),
                        c_stride,
                        op.accumulate || first > 0});
    }
  }
}

}  // namespace

std::size_t product_scratch_bytes(const ops::OpContext&, const ops::Product& op) {
  if (op.b.dtype() == DType::f32) return 0;
  return static_cast<std::size_t>(panel_rows(op) * op.b.columns()) * sizeof(float);
}

void run_product(ops::OpContext& context, const ops::Product& op) {
  const auto [m, n, k] = ops::extents(op);
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!op.accumulate) zero(op.c);
  } else if (op.b.dtype() != DType::f32) {
    run_in_panels(context, op);
  } else {
    gpu_of(context).products().multiply({m,
                                         n,
                                         k,
                                         {op.a.data<float>(), stride_of(op.a), op.transpose_a},
                                         {op.b.data<float>(), stride_of(op.b), op.transpose_b},
                                         op.c.data<float>(),
                                         stride_of(op.c),
                                         op.accumulate});
  }
  gpu_of(context).settle(op.kName);
}

}  // namespace hone::kernels::rocm
