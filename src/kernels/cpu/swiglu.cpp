#include "kernels/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/swiglu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace hone::kernels::cpu::HWY_NAMESPACE {

HWY_INLINE VF sigmoid(VF z) {
  const VF one = hn::Set(DF(), 1.0f);
  return hn::Div(one, hn::Add(one, exp(hn::Neg(z))));
}

void swiglu_row(const float* gate, const float* up, float* out, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const std::int64_t left = count - i;
    const VF z = load_up_to(gate + i, left);
    const VF silu = hn::Mul(z, sigmoid(z));
    store_up_to(hn::Mul(silu, load_up_to(up + i, left)), out + i, left);
  }
}

void swiglu_gradient_row(const float* d_out, const float* gate, const float* up, float* d_gate,
                         float* d_up, std::int64_t count) {
  const VF one = hn::Set(DF(), 1.0f);
  for (std::int64_t i = 0; i < count; i += lanes()) {
    const std::int64_t left = count - i;
    const VF z = load_up_to(gate + i, left);
    const VF u = load_up_to(up + i, left);
    const VF d = load_up_to(d_out + i, left);
    const VF s = sigmoid(z);
    const VF slope = hn::Mul(s, hn::MulAdd(z, hn::Sub(one, s), one));
    store_up_to(hn::Mul(hn::Mul(d, u), slope), d_gate + i, left);
    store_up_to(hn::Mul(d, hn::Mul(z, s)), d_up + i, left);
  }
}

}  // namespace hone::kernels::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hone::kernels::cpu {

HWY_EXPORT(swiglu_row);
HWY_EXPORT(swiglu_gradient_row);

void run(ops::OpContext& context, const ops::SwiGluForward& op) {
  const std::int64_t columns = op.gate.columns();
  parallel_ranges(context.threads, op.gate.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      HWY_DYNAMIC_DISPATCH(swiglu_row)
                      (op.gate.row<float>(t), op.up.row<float>(t), op.out.row<float>(t), columns);
                    }
                  });
}

void run(ops::OpContext& context, const ops::SwiGluBackward& op) {
  const std::int64_t columns = op.gate.columns();
  parallel_ranges(context.threads, op.gate.rows(), row_grain(columns),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t t = first; t < last; ++t) {
                      HWY_DYNAMIC_DISPATCH(swiglu_gradient_row)
                      (op.d_out.row<float>(t), op.gate.row<float>(t), op.up.row<float>(t),
                       op.d_gate.row<float>(t), op.d_up.row<float>(t), columns);
                    }
                  });
}

}  // namespace hone::kernels::cpu
#endif
