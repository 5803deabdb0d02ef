#include "parameters/resident.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/error.h"

namespace hone {
namespace {

class Resident : public testing::Test {
 protected:
  Resident() {
    registry.add({"frozen", {2, 3}});
    registry.add({"a", {2, 2}, Role::matrix, block_unit(0), true});
    registry.add({"b", {3}, Role::norm, registry.head_unit(), true});
  }
  ParameterRegistry registry{1};
  std::vector<float> values = std::vector<float>(16);
};

TEST_F(Resident, ParametersAreWhereTheyWerePlaced) {
  ResidentParameters parameters(registry);
  parameters.place(0, TensorView(values.data(), DType::f32, {2, 3}));
  parameters.place(1, TensorView(values.data() + 6, DType::bf16, {2, 2}));
  parameters.announce(0);
  parameters.acquire(0);
  EXPECT_EQ(parameters.get(0).raw(), values.data());
  EXPECT_EQ(parameters.get(1).raw(), values.data() + 6);
  EXPECT_EQ(parameters.get(1).dtype(), DType::bf16);
  EXPECT_EQ(parameters.get(1).shape(), (Shape{2, 2}));
  parameters.release(0);
  parameters.place(0, TensorView(values.data() + 8, DType::f32, {2, 3}));
  EXPECT_EQ(parameters.get(0).raw(), values.data() + 8);
}

TEST_F(Resident, AParameterNeedsItsShapeAndAPlace) {
  ResidentParameters parameters(registry);
  EXPECT_THROW(parameters.place(0, TensorView(values.data(), DType::f32, {3, 2})), InternalError);
  EXPECT_THROW(parameters.place(0, TensorView(values.data(), DType::f32, {6})), InternalError);
  EXPECT_THROW(parameters.get(0), InternalError);
}

TEST_F(Resident, GradientsAreViewsOfTheFlatSpace) {
  const FlatLayout layout(registry);
  ASSERT_EQ(layout.elements(), 7);
  std::iota(values.begin(), values.end(), 0.0f);
  ResidentGradients gradients(registry, layout, TensorView(values.data(), DType::f32, {7}));
  const TensorView a = gradients.gradient(1);
  EXPECT_EQ(a.shape(), (Shape{2, 2}));
  EXPECT_EQ(a.row<float>(1)[0], 2.0f);
  const TensorView b = gradients.gradient(2);
  EXPECT_EQ(b.shape(), (Shape{3}));
  EXPECT_EQ(b.data<float>()[0], 4.0f);
  b.data<float>()[2] = 60.0f;
  gradients.finished(2);
  EXPECT_EQ(values[6], 60.0f);
  EXPECT_EQ(gradients.gradient(2).data<float>()[2], 60.0f) << "finished must not clear";
}

TEST_F(Resident, AFrozenParameterHasNoGradient) {
  const FlatLayout layout(registry);
  ResidentGradients gradients(registry, layout, TensorView(values.data(), DType::f32, {7}));
  EXPECT_THROW(gradients.gradient(0), InternalError);
}

}  // namespace
}  // namespace hone
