// base/random.h's generator for a vector of counters: the same bits as philox4x32.
#if defined(HONE_KERNELS_CPU_PHILOX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef HONE_KERNELS_CPU_PHILOX_INL_H_
#undef HONE_KERNELS_CPU_PHILOX_INL_H_
#else
#define HONE_KERNELS_CPU_PHILOX_INL_H_
#endif

#include "base/random.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

using DU = hn::RebindToUnsigned<DF>;
using VU = hn::Vec<DU>;

struct Philox {
  VU word0, word1, word2, word3;
};

struct WideProduct {
  VU high, low;
};

HWY_INLINE WideProduct multiply_wide(VU a, std::uint32_t factor) {
  const DU d;
  const VU b = hn::Set(d, factor);
  const VU low = hn::Mul(a, b);
#if HWY_TARGET == HWY_SCALAR
  const std::uint64_t product = std::uint64_t{hn::GetLane(a)} * factor;
  return {hn::Set(d, static_cast<std::uint32_t>(product >> 32)), low};
#else
  const hn::RepartitionToWide<DU> d64;
  const auto even = hn::BitCast(d, hn::ShiftRight<32>(hn::MulEven(a, b)));
  const VU a_odd = hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(d64, a)));
  const auto odd = hn::BitCast(d, hn::MulEven(a_odd, b));
  return {hn::OddEven(odd, even), low};
#endif
}

// Philox4x32-10 of the counters (c0, c1, c2, c3); as in base/random.cpp.
HWY_INLINE Philox philox(VU c0, VU c1, VU c2, VU c3, std::uint32_t key0, std::uint32_t key1) {
  const DU d;
  for (int round = 0; round < 10; ++round) {
    const WideProduct p0 = multiply_wide(c0, 0xD2511F53u);
    const WideProduct p1 = multiply_wide(c2, 0xCD9E8D57u);
    c0 = hn::Xor(hn::Xor(p1.high, c1), hn::Set(d, key0));
    c2 = hn::Xor(hn::Xor(p0.high, c3), hn::Set(d, key1));
    c1 = p1.low;
    c3 = p0.low;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return {c0, c1, c2, c3};
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
