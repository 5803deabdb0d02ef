// Vectors of f32: loads and stores that stop at the end of an array, sums, exp.
// Per-target include guard, as Highway wants it.
#if defined(HONE_KERNELS_CPU_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HONE_KERNELS_CPU_SIMD_INL_H_
#undef HONE_KERNELS_CPU_SIMD_INL_H_
#else
#define HONE_KERNELS_CPU_SIMD_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

constexpr std::int64_t kMaxLanes = HWY_MAX_BYTES / sizeof(float);

HWY_INLINE std::int64_t lanes() {
  return static_cast<std::int64_t>(hn::Lanes(DF()));
}

// The `left` (at least 1) elements from `p`, as many as a vector holds; lanes beyond them are 0.
HWY_INLINE VF load_up_to(const float* p, std::int64_t left) {
  const DF d;
  if (HWY_LIKELY(left >= lanes())) return hn::LoadU(d, p);
  HWY_ALIGN float tail[kMaxLanes] = {};
  std::memcpy(tail, p, static_cast<std::size_t>(left) * sizeof(float));
  return hn::Load(d, tail);
}

HWY_INLINE void store_up_to(VF v, float* p, std::int64_t left) {
  const DF d;
  if (HWY_LIKELY(left >= lanes())) {
    hn::StoreU(v, d, p);
    return;
  }
  HWY_ALIGN float tail[kMaxLanes];
  hn::Store(v, d, tail);
  std::memcpy(p, tail, static_cast<std::size_t>(left) * sizeof(float));
}

HWY_INLINE float sum_of(VF v) {
  return hn::GetLane(hn::SumOfLanes(DF(), v));
}

// exp(x) within 1.5 units in the last place for x in [-87.3, 88.3] (tests/ops measures it); 0
// below, growing to infinity above; NaN stays NaN. x = n ln 2 + r, and e^r = 1 + r + r^2 q(r) with
// q the Chebyshev fit of degree 4 on |r| <= ln 2 / 2 (relative error 1e-8).
HWY_INLINE VF exp(VF x) {
  const DF d;
  const hn::RebindToSigned<DF> di;
  const VF lowest = hn::Set(d, -87.3f);
  // Only n is bounded: r is taken from x itself, so that NaN and infinity reach the result.
  const VF bounded = hn::Max(lowest, hn::Min(hn::Set(d, 88.3f), x));
  const VF n = hn::Round(hn::Mul(bounded, hn::Set(d, 0x1.715476p+0f)));
  // ln 2 in two parts, so that n * high is exact.
  VF r = hn::NegMulAdd(n, hn::Set(d, 0x1.62e4p-1f), x);
  r = hn::NegMulAdd(n, hn::Set(d, 0x1.7f7d1cp-20f), r);
  VF q = hn::MulAdd(hn::Set(d, 0x1.6d4366p-10f), r, hn::Set(d, 0x1.120ba6p-7f));
  q = hn::MulAdd(q, r, hn::Set(d, 0x1.5554e8p-5f));
  q = hn::MulAdd(q, r, hn::Set(d, 0x1.5554dcp-3f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.5f));
  const VF e = hn::Add(hn::Set(d, 1.0f), hn::MulAdd(hn::Mul(r, r), q, r));
  const auto exponent = hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127)));
  const VF result = hn::Mul(e, hn::BitCast(d, exponent));
  return hn::IfThenElse(hn::Lt(x, lowest), hn::Zero(d), result);
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
