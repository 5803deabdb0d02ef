#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/narrow_product.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/narrow_product.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tile_operands.h"
#include "kernels/cpu/widen-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Row-major operands of the dot products, their types checked.
template <class B>
struct Operands {
  Rows<const float> a;
  Rows<const B> b;
  Rows<float> c;
  std::int64_t k;
  bool accumulate;
};

// kRows rows of a from row m on against kColumns rows of b from row n on.
template <int kRows, int kColumns, class B>
HWY_INLINE void put_dots(const Operands<B>& op, std::int64_t m, std::int64_t n) {
  const DF d;
  const float* a = op.a.at(m, 0);
  const B* b = op.b.at(n, 0);
  VF partial[kRows][kColumns];
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) partial[i][j] = hn::Zero(d);
  }
  std::int64_t l = 0;
  for (; l + lanes() <= op.k; l += lanes()) {
    for (int j = 0; j < kColumns; ++j) {
      const B* weights = b + j * op.b.stride + l;
      // The rows that come next: short rows end before the hardware's prefetcher has caught on.
      hwy::Prefetch(weights + kColumns * op.b.stride);
      const VF weight = widen(weights);
      for (int i = 0; i < kRows; ++i) {
        partial[i][j] = hn::MulAdd(hn::LoadU(d, a + i * op.a.stride + l), weight, partial[i][j]);
      }
    }
  }
  for (int i = 0; i < kRows; ++i) {
    float* to = op.c.at(m + i, n);
    for (int j = 0; j < kColumns; ++j) {
      float sum = sum_of(partial[i][j]);
      for (std::int64_t rest = l; rest < op.k; ++rest) {
        float weight;
        to_wide(b + j * op.b.stride + rest, &weight);
        sum += a[i * op.a.stride + rest] * weight;
      }
      to[j] = op.accumulate ? to[j] + sum : sum;
    }
  }
}

// Columns [first, last) of row m of c, whose weights come from memory and are used once. One row of
// b after another: memory is fastest as a single stream, half as fast again as eight rows side by
// side. Independent sums hide the latency of one.
template <class B>
void row_product(const Operands<B>& op, std::int64_t m, std::int64_t first, std::int64_t last) {
  constexpr int kSums = 4;
  const DF d;
  const float* a = op.a.at(m, 0);
  float* to = op.c.at(m, 0);
  for (std::int64_t n = first; n < last; ++n) {
    const B* b = op.b.at(n, 0);
    VF partial[kSums];
    for (VF& sums : partial) sums = hn::Zero(d);
    std::int64_t l = 0;
    for (; l + kSums * lanes() <= op.k; l += kSums * lanes()) {
      for (int i = 0; i < kSums; ++i) {
        const std::int64_t at = l + i * lanes();
        partial[i] = hn::MulAdd(hn::LoadU(d, a + at), widen(b + at), partial[i]);
      }
    }
    for (; l + lanes() <= op.k; l += lanes()) {
      partial[0] = hn::MulAdd(hn::LoadU(d, a + l), widen(b + l), partial[0]);
    }
    for (int i = 1; i < kSums; ++i) partial[0] = hn::Add(partial[0], partial[i]);
    float sum = sum_of(partial[0]);
    for (; l < op.k; ++l) {
      float weight;
      to_wide(b + l, &weight);
      sum += a[l] * weight;
    }
    to[n] = op.accumulate ? to[n] + sum : sum;
  }
}

// Columns [first, last) of kRows rows of c. Several rows of b at once: enough independent sums to
// hide the latency of one, as far as registers reach.
template <int kRows, class B>
void product_columns(const Operands<B>& op, std::int64_t m, std::int64_t first, std::int64_t last) {
  constexpr int kColumns = kRows <= 2 || HWY_TARGET <= HWY_AVX3 ? 4 : 2;
  std::int64_t n = first;
  for (; n + kColumns <= last; n += kColumns) put_dots<kRows, kColumns>(op, m, n);
  for (; n < last; ++n) put_dots<kRows, 1>(op, m, n);
}

template <class B>
void narrow_columns_of(const ConstTensorView& a, const ConstTensorView& b, const TensorView& c,
                       bool accumulate, std::int64_t first, std::int64_t last) {
  const Operands<B> op = {{a.data<float>(), a.row_stride()},
                          {b.data<B>(), b.row_stride()},
                          {c.data<float>(), c.row_stride()},
                          b.columns(),
                          accumulate};
  std::int64_t m = 0;
  for (; m + 4 <= a.rows(); m += 4) product_columns<4>(op, m, first, last);
  switch (a.rows() - m) {
    case 3:
      return product_columns<3>(op, m, first, last);
    case 2:
      return product_columns<2>(op, m, first, last);
    case 1:
      return row_product(op, m, first, last);
    default:
      return;
  }
}

void narrow_columns(const ConstTensorView& a, const ConstTensorView& b, const TensorView& c,
                    bool accumulate, std::int64_t first, std::int64_t last) {
  switch (b.dtype()) {
    case DType::bf16:
      return narrow_columns_of<BFloat16>(a, b, c, accumulate, first, last);
    case DType::f16:
      return narrow_columns_of<Float16>(a, b, c, accumulate, first, last);
    default:
      return narrow_columns_of<float>(a, b, c, accumulate, first, last);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(narrow_columns);

void dot_products(const ConstTensorView& a, const ConstTensorView& b, TensorView c, bool accumulate,
                  std::int64_t first, std::int64_t last) {
  HWY_DYNAMIC_DISPATCH(narrow_columns)(a, b, c, accumulate, first, last);
}

void narrow_product(int threads, const ConstTensorView& a, const ConstTensorView& b, TensorView c,
                    bool accumulate) {
  // Blocks of columns short enough that a block of b stays in cache for the next four rows of a.
  constexpr std::int64_t kColumnBlock = 32;
  const std::int64_t blocks = (b.rows() + kColumnBlock - 1) / kColumnBlock;
  const std::int64_t grain = std::max<std::int64_t>(1, row_grain(b.columns()) / kColumnBlock);
  parallel_ranges(threads, blocks, grain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t block = first; block < last; ++block) {
      const std::int64_t n = block * kColumnBlock;
      dot_products(a, b, c, accumulate, n, std::min(b.rows(), n + kColumnBlock));
    }
  });
}

}  // namespace hone::kernels::cpu
#endif
