// Small products out of cache: the inner loops of attention and of LoRA.
#if defined(HONE_KERNELS_CPU_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HONE_KERNELS_CPU_TILE_INL_H_
#undef HONE_KERNELS_CPU_TILE_INL_H_
#else
#define HONE_KERNELS_CPU_TILE_INL_H_
#endif

#include "kernels/cpu/simd-inl.h"
#include "kernels/cpu/tile_operands.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

// Sums that are held in registers: as many as hide the latency of a multiply-add.
constexpr int kTileRows = 4;
constexpr int kTileVectors = HWY_TARGET <= HWY_AVX3 ? 4 : 2;

// kTail: only the first `left` columns of the one vector exist.
template <int kRows, int kVectors, bool kTail>
HWY_INLINE void tile_sums(const LeftSide& a, const float* b, std::int64_t b_stride, float* c,
                          std::int64_t c_stride, std::int64_t depth, bool accumulate,
                          std::int64_t left) {
  const DF d;
  const std::int64_t step = lanes();
  const auto load = [&](const float* p)
                        HWY_ATTR { return kTail ? load_up_to(p, left) : hn::LoadU(d, p); };
  VF sums[kRows][kVectors];
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kVectors; ++j) {
      sums[i][j] = accumulate ? load(c + i * c_stride + j * step) : hn::Zero(d);
    }
  }
  for (std::int64_t l = 0; l < depth; ++l) {
    VF right[kVectors];
    for (int j = 0; j < kVectors; ++j) right[j] = load(b + l * b_stride + j * step);
    for (int i = 0; i < kRows; ++i) {
      const VF value = hn::Set(d, a.data[i * a.row + l * a.step]);
      for (int j = 0; j < kVectors; ++j) sums[i][j] = hn::MulAdd(value, right[j], sums[i][j]);
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kVectors; ++j) {
      float* at = c + i * c_stride + j * step;
      kTail ? store_up_to(sums[i][j], at, left) : hn::StoreU(sums[i][j], d, at);
    }
  }
}

template <int kRows>
HWY_INLINE void tile_rows(const LeftSide& a, const Rows<const float>& b, const Rows<float>& c,
                          std::int64_t i, std::int64_t n, std::int64_t depth, bool accumulate) {
  const LeftSide left = a.from_row(i);
  std::int64_t j = 0;
  for (; j + kTileVectors * lanes() <= n; j += kTileVectors * lanes()) {
    tile_sums<kRows, kTileVectors, false>(left, b.at(0, j), b.stride, c.at(i, j), c.stride, depth,
                                          accumulate, 0);
  }
  for (; j + lanes() <= n; j += lanes()) {
    tile_sums<kRows, 1, false>(left, b.at(0, j), b.stride, c.at(i, j), c.stride, depth, accumulate,
                               0);
  }
  if (j < n) {
    tile_sums<kRows, 1, true>(left, b.at(0, j), b.stride, c.at(i, j), c.stride, depth, accumulate,
                              n - j);
  }
}

// c[i][j] = or += sum over l < depth of a(i, l) b[l][j], for i < m and j < n. The sum of an element
// runs in the order of l, whatever the tiling.
inline HWY_NOINLINE void tile_product(const LeftSide& a, const Rows<const float>& b,
                                      const Rows<float>& c, std::int64_t m, std::int64_t n,
                                      std::int64_t depth, bool accumulate) {
  std::int64_t i = 0;
  for (; i + kTileRows <= m; i += kTileRows) {
    tile_rows<kTileRows>(a, b, c, i, n, depth, accumulate);
  }
  for (; i < m; ++i) tile_rows<1>(a, b, c, i, n, depth, accumulate);
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
