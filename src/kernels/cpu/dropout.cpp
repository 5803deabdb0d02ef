#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/dropout.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include "kernels/cpu/dropout.h"
#include "kernels/cpu/philox-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

HWY_INLINE VF factor_of(const DropoutNumbers& n, VU bits) {
  const DF d;
  const DU du;
  const auto dropped = hn::RebindMask(d, hn::Lt(bits, hn::Set(du, n.threshold)));
  return hn::IfThenElse(dropped, hn::Zero(d), hn::Set(d, n.kept));
}

void dropout_columns(const DropoutNumbers& n, std::int64_t count, float* factors) {
  const DU d;
  const auto stream = static_cast<std::uint32_t>(RandomStream::adapter_dropout);
  for (std::int64_t i = 0; i < count; i += 4 * lanes()) {
    const VU lane = hn::Iota(d, n.lane + static_cast<std::uint32_t>(i / 4));
    const Philox random =
        philox(hn::Set(d, static_cast<std::uint32_t>(n.key)),
               hn::Set(d, static_cast<std::uint32_t>(n.key >> 32)), lane, hn::Set(d, stream),
               static_cast<std::uint32_t>(n.seed), static_cast<std::uint32_t>(n.seed >> 32));
    hn::StoreInterleaved4(factor_of(n, random.word0), factor_of(n, random.word1),
                          factor_of(n, random.word2), factor_of(n, random.word3), DF(),
                          factors + i);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(dropout_columns);

void dropout_row(const ops::Dropout& dropout, std::int64_t row, std::int64_t first,
                 std::int64_t count, float* factors) {
  // An integer is at least probability * 2^32 when it is at least that number rounded up.
  const DropoutNumbers numbers = {
      dropout.seed, dropout.key_of_row[static_cast<std::size_t>(row)],
      (dropout.channel << 20) | static_cast<std::uint32_t>(first / 4),
      static_cast<std::uint32_t>(std::min(std::ceil(dropout.probability * 0x1p32), 0x1p32 - 1.0)),
      static_cast<float>(1.0 / (1.0 - dropout.probability))};
  HWY_DYNAMIC_DISPATCH(dropout_columns)(numbers, count, factors);
}

}  // namespace hone::kernels::cpu
#endif
