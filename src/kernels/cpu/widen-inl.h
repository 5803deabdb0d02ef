// Between f32 vectors and the 16-bit storage types. Narrowing rounds to nearest even, exactly as
// base/half.h does.
#if defined(HONE_KERNELS_CPU_WIDEN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HONE_KERNELS_CPU_WIDEN_INL_H_
#undef HONE_KERNELS_CPU_WIDEN_INL_H_
#else
#define HONE_KERNELS_CPU_WIDEN_INL_H_
#endif

#include "base/half.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

using D32 = hn::RebindToUnsigned<DF>;
using D16 = hn::Rebind<std::uint16_t, DF>;
using V32 = hn::Vec<D32>;

HWY_INLINE VF widen(const float* p) {
  return hn::LoadU(DF(), p);
}

HWY_INLINE VF widen(const BFloat16* p) {
  const auto half = hn::LoadU(D16(), reinterpret_cast<const std::uint16_t*>(p));
  return hn::BitCast(DF(), hn::ShiftLeft<16>(hn::PromoteTo(D32(), half)));
}

HWY_INLINE VF widen(const Float16* p) {
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2  // without conversion instructions
  HWY_ALIGN float wide[kMaxLanes];
  for (std::int64_t i = 0; i < lanes(); ++i) wide[i] = to_float(p[i]);
  return hn::Load(DF(), wide);
#else
  const hn::Rebind<hwy::float16_t, DF> d;
  return hn::PromoteTo(DF(), hn::LoadU(d, reinterpret_cast<const hwy::float16_t*>(p)));
#endif
}

HWY_INLINE void narrow(VF v, float* p) {
  hn::StoreU(v, DF(), p);
}

// The upper halves of the lanes of `bits`.
HWY_INLINE void store_upper_halves(V32 bits, BFloat16* p) {
  const hn::RebindToSigned<D32> di;
  const auto upper = hn::BitCast(di, hn::ShiftRight<16>(bits));
  hn::StoreU(hn::DemoteTo(D16(), upper), D16(), reinterpret_cast<std::uint16_t*>(p));
}

HWY_INLINE void narrow(VF v, BFloat16* p) {
  const D32 d;
  const V32 bits = hn::BitCast(d, v);
  const V32 odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1u));
  const V32 rounded = hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fffu)));
  const V32 quiet_nan = hn::Or(bits, hn::Set(d, 0x00400000u));
  const auto is_nan = hn::RebindMask(d, hn::Ne(v, v));
  store_upper_halves(hn::IfThenElse(is_nan, quiet_nan, rounded), p);
}

HWY_INLINE void narrow(VF v, Float16* p) {
  HWY_ALIGN float wide[kMaxLanes];
  hn::Store(v, DF(), wide);
  for (std::int64_t i = 0; i < lanes(); ++i) p[i] = to_float16(wide[i]);
}

HWY_INLINE void to_wide(const float* from, float* to) {
  *to = *from;
}
HWY_INLINE void to_wide(const BFloat16* from, float* to) {
  *to = to_float(*from);
}
HWY_INLINE void to_wide(const Float16* from, float* to) {
  *to = to_float(*from);
}
HWY_INLINE void to_narrow(float from, float* to) {
  *to = from;
}
HWY_INLINE void to_narrow(float from, BFloat16* to) {
  *to = to_bfloat16(from);
}
HWY_INLINE void to_narrow(float from, Float16* to) {
  *to = to_float16(from);
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
