// Which C++ type stands for which dtype; included by tensor_view.h.
#pragma once

#include <complex>
#include <cstdint>

#include "base/dtype.h"
#include "base/half.h"

namespace hone::detail {

template <DType D>
struct Holds {
  static constexpr DType value = D;
};

template <>
struct DTypeOf<double> : Holds<DType::f64> {};
template <>
struct DTypeOf<float> : Holds<DType::f32> {};
template <>
struct DTypeOf<Float16> : Holds<DType::f16> {};
template <>
struct DTypeOf<BFloat16> : Holds<DType::bf16> {};
template <>
struct DTypeOf<std::complex<double>> : Holds<DType::c128> {};
template <>
struct DTypeOf<std::int64_t> : Holds<DType::i64> {};
template <>
struct DTypeOf<std::int32_t> : Holds<DType::i32> {};
template <>
struct DTypeOf<std::uint8_t> : Holds<DType::u8> {};

}  // namespace hone::detail
