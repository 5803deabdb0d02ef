// Weights stored in one floating type, read as another.
#include "model/weights/weight_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/half.h"

namespace hone::model {
namespace {

// Exact in every type, but for the last three: a tie in bf16, one in f16, and beyond f16.
const std::vector<float> kValues = {
    0.0f,        -1.5f,          0x1p-14f, -0x1p-20f, std::numeric_limits<float>::infinity(),
    1.00390625f, 1.00048828125f, 70000.0f};

template <class Element>
Element stored(float value);
template <>
double stored(float value) {
  return value;
}
template <>
float stored(float value) {
  return value;
}
template <>
BFloat16 stored(float value) {
  return to_bfloat16(value);
}
template <>
Float16 stored(float value) {
  return to_float16(value);
}

float read_back(double value) {
  return static_cast<float>(value);
}
float read_back(float value) {
  return value;
}
float read_back(BFloat16 value) {
  return to_float(value);
}
float read_back(Float16 value) {
  return to_float(value);
}

template <class From, class To>
void expect_converted(DType from_type, DType to_type) {
  SCOPED_TRACE(std::string(name(from_type)) + " to " + std::string(name(to_type)));
  const auto count = static_cast<std::int64_t>(kValues.size());
  std::vector<From> from;
  for (const float value : kValues) from.push_back(stored<From>(value));
  std::vector<To> to(kValues.size());
  convert_weight(ConstTensorView(from.data(), from_type, Shape{count}),
                 TensorView(to.data(), to_type, Shape{count}));
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    EXPECT_EQ(read_back(to[i]), read_back(stored<To>(read_back(from[i])))) << kValues[i];
  }
}

template <class From>
void expect_all_from(DType from) {
  expect_converted<From, float>(from, DType::f32);
  expect_converted<From, BFloat16>(from, DType::bf16);
  expect_converted<From, Float16>(from, DType::f16);
}

TEST(ConvertWeight, RoundsOnceBetweenAllFloatingTypes) {
  expect_all_from<double>(DType::f64);
  expect_all_from<float>(DType::f32);
  expect_all_from<BFloat16>(DType::bf16);
  expect_all_from<Float16>(DType::f16);
}

TEST(ConvertWeight, KeepsWhatIsNoNumber) {
  std::vector<float> from(40, std::numeric_limits<float>::quiet_NaN());
  std::vector<BFloat16> to(from.size());
  convert_weight(ConstTensorView(from.data(), DType::f32, Shape{40}),
                 TensorView(to.data(), DType::bf16, Shape{40}));
  for (const BFloat16 value : to) EXPECT_TRUE(std::isnan(to_float(value)));
}

}  // namespace
}  // namespace hone::model
