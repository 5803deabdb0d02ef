#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/narrow_product.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/narrow_product.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/widen-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// kRows rows of a against kColumns rows of b, which lie `stride` elements apart.
template <int kRows, int kColumns, class B>
HWY_INLINE void dots(const ConstTensorView& a, std::int64_t m, const B* b, std::int64_t stride,
                     std::int64_t k, float (&sums)[kRows][kColumns]) {
  const DF d;
  const float* a_rows[kRows];
  VF partial[kRows][kColumns];
  for (int i = 0; i < kRows; ++i) {
    a_rows[i] = a.row<float>(m + i);
    for (int j = 0; j < kColumns; ++j) partial[i][j] = hn::Zero(d);
  }
  std::int64_t l = 0;
  for (; l + lanes() <= k; l += lanes()) {
    for (int j = 0; j < kColumns; ++j) {
      const B* weights = b + j * stride + l;
      const VF weight = widen(weights);
      for (int i = 0; i < kRows; ++i) {
        partial[i][j] = hn::MulAdd(hn::LoadU(d, a_rows[i] + l), weight, partial[i][j]);
      }
    }
  }
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) sums[i][j] = sum_of(partial[i][j]);
    for (std::int64_t rest = l; rest < k; ++rest) {
      float weight;
      to_wide(b + j * stride + rest, &weight);
      for (int i = 0; i < kRows; ++i) sums[i][j] += a_rows[i][rest] * weight;
    }
  }
}

template <int kRows, int kColumns, class B>
HWY_INLINE void put_dots(const ConstTensorView& a, std::int64_t m, const ConstTensorView& b,
                         std::int64_t n, TensorView c, bool accumulate) {
  float sums[kRows][kColumns];
  dots<kRows, kColumns>(a, m, b.row<B>(n), b.row_stride(), b.columns(), sums);
  for (int i = 0; i < kRows; ++i) {
    float* to = c.row<float>(m + i) + n;
    for (int j = 0; j < kColumns; ++j) to[j] = accumulate ? to[j] + sums[i][j] : sums[i][j];
  }
}

// Columns [first, last) of kRows rows of c. Several rows of b at once: enough independent sums to
// hide the latency of one, as far as registers reach.
template <int kRows, class B>
void product_columns(const ConstTensorView& a, std::int64_t m, const ConstTensorView& b,
                     TensorView c, bool accumulate, std::int64_t first, std::int64_t last) {
  constexpr int kColumns = kRows <= 2 || HWY_TARGET <= HWY_AVX3 ? 4 : 2;
  std::int64_t n = first;
  for (; n + kColumns <= last; n += kColumns) {
    put_dots<kRows, kColumns, B>(a, m, b, n, c, accumulate);
  }
  for (; n < last; ++n) put_dots<kRows, 1, B>(a, m, b, n, c, accumulate);
}

template <class B>
void narrow_columns_of(const ConstTensorView& a, const ConstTensorView& b, TensorView c,
                       bool accumulate, std::int64_t first, std::int64_t last) {
  std::int64_t m = 0;
  for (; m + 4 <= a.rows(); m += 4) product_columns<4, B>(a, m, b, c, accumulate, first, last);
  switch (a.rows() - m) {
    case 3:
      return product_columns<3, B>(a, m, b, c, accumulate, first, last);
    case 2:
      return product_columns<2, B>(a, m, b, c, accumulate, first, last);
    case 1:
      return product_columns<1, B>(a, m, b, c, accumulate, first, last);
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
