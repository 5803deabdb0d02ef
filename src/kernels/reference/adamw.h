#pragma once

#include <cmath>

#include "base/random.h"
#include "kernels/reference/elements.h"
#include "ops/adamw.h"

namespace hone::kernels::reference {

// Writes a value of the step; bf16 arrays are rounded stochastically when the operation says so:
// sixteen random bits are added below the kept half, and the sum is cut.
template <class T>
void store_rounded(const ops::AdamW& op, const TensorView& array, ops::AdamWArray word,
                   std::int64_t i, const T& value) {
  if (array.dtype() != DType::bf16 || !op.stochastic_rounding) {
    store(array, i, 0, value);
    return;
  }
  const CounterRandom random(op.seed, RandomStream::stochastic_rounding);
  const std::uint64_t index = (static_cast<std::uint64_t>(op.step) << 40) + op.first_element +
                              static_cast<std::uint64_t>(i);
  const std::uint32_t noise = random.bits(index, 0)[static_cast<std::size_t>(word)] >> 16;
  const auto wide = static_cast<float>(real_part(value));
  const std::uint32_t bits = float_to_bits(wide);
  const bool finite = (bits & 0x7f800000u) != 0x7f800000u;
  array.row<BFloat16>(i)[0] =
      finite ? BFloat16{static_cast<std::uint16_t>((bits + noise) >> 16)} : to_bfloat16(wide);
}

template <class T>
void reference(const ops::AdamW& op) {
  const double step = static_cast<double>(op.step);
  const double correction1 = 1.0 - std::pow(op.beta1, step);
  const double correction2 = std::sqrt(1.0 - std::pow(op.beta2, step));
  for (std::int64_t i = 0; i < op.gradient.elements(); ++i) {
    const T g = load<T>(op.gradient, i) * op.gradient_scale;
    T w = load<T>(op.weight, i) * (1.0 - op.learning_rate * op.weight_decay);
    T m = load<T>(op.first_moment, i);
    T v = load<T>(op.second_moment, i);
    m += (1.0 - op.beta1) * (g - m);
    v = op.beta2 * v + (1.0 - op.beta2) * g * g;
    w -= op.learning_rate / correction1 * m / (std::sqrt(v) / correction2 + op.epsilon);
    store_rounded(op, op.first_moment, ops::AdamWArray::first_moment, i, m);
    store_rounded(op, op.second_moment, ops::AdamWArray::second_moment, i, v);
    store_rounded(op, op.weight, ops::AdamWArray::weight, i, w);
  }
}

inline DType number_dtype(const ops::AdamW& op) {
  return op.weight.dtype();
}

}  // namespace hone::kernels::reference
