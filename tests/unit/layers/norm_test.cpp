#include "layers/norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/layers/complex_layer.h"

namespace hone::layers {
namespace {

using tests::LayerTest;
using tests::Number;
using tests::Tensor;

const Shape kShape = {4, 3};

class NormTest : public testing::Test {
 protected:
  void expect_forward(bool with_delta) {
    for (std::int64_t t = 0; t < kShape[0]; ++t) {
      double squares = 0.0;
      const auto input = [&](std::int64_t i) {
        return x.at(t, i) + (with_delta ? delta.at(t, i) : 0.0);
      };
      for (std::int64_t i = 0; i < kShape[1]; ++i) squares += input(i) * input(i);
      const double scale = 1.0 / std::sqrt(squares / 3.0 + norm.epsilon);
      for (std::int64_t i = 0; i < kShape[1]; ++i) {
        ASSERT_NEAR(y.at(t, i), input(i) * scale * layer.parameters.value(norm.weight, i, 0),
                    1e-14);
        if (with_delta) {
          ASSERT_NEAR(sum.at(t, i), input(i), 1e-15);
        }
      }
    }
  }

  LayerTest layer;
  // Not small beside the squares, so that it is seen.
  Norm norm{.weight = layer.parameters.add("weight", {3}), .epsilon = 0.1};
  Tensor x = Tensor(kShape, 1), delta = Tensor(kShape, 2), d_y = Tensor(kShape, 3);
  Tensor sum = Tensor::unset(kShape), y = Tensor::unset(kShape), inv_rms = Tensor::unset({4});
  Tensor d_x = Tensor::unset(kShape);
};

TEST_F(NormTest, WithoutDelta) {
  layer.expect_gradients(
      {.forward =
           [&](LayerContext& context) {
             norm_forward(context, norm, x.view(), {}, sum.view(), y.view(), inv_rms.view());
           },
       .backward =
           [&](LayerContext& context) {
             norm_backward(context, norm, d_y.view(), x.view(), inv_rms.view(), d_x.view(), true);
           },
       .outputs = {{&y, &d_y}},
       .inputs = {{&x, &d_x}}});
  expect_forward(false);
  EXPECT_TRUE(std::isnan(sum.at(0, 0))) << "without delta there is no sum";
}

// The gradient of the sum is that of both that were added; and the sum goes on as an output.
TEST_F(NormTest, WithDeltaTheSumGoesOn) {
  Tensor d_sum = Tensor(kShape, 4);
  layer.expect_gradients({.forward =
                              [&](LayerContext& context) {
                                norm_forward(context, norm, x.view(), delta.view(), sum.view(),
                                             y.view(), inv_rms.view());
                              },
                          .backward =
                              [&](LayerContext& context) {
                                d_x.values = d_sum.values;
                                norm_backward(context, norm, d_y.view(), sum.view(), inv_rms.view(),
                                              d_x.view());
                              },
                          .outputs = {{&y, &d_y}, {&sum, &d_sum}},
                          .inputs = {{&x, &d_x}, {&delta, &d_x}}});
  expect_forward(true);
}

TEST_F(NormTest, AssignedItMayTakeTheGradientsPlace) {
  LayerContext context = layer.context();
  norm_forward(context, norm, x.view(), {}, {}, y.view(), inv_rms.view());
  norm_backward(context, norm, d_y.view(), x.view(), inv_rms.view(), d_x.view(), true);
  norm_backward(context, norm, d_y.view(), x.view(), inv_rms.view(), d_y.view(), true);
  EXPECT_EQ(d_y.values, d_x.values);
}

TEST_F(NormTest, AFrozenWeightHasNoGradient) {
  layer.parameters.registry.set_trainable(norm.weight, false);
  layer.expect_gradients(
      {.forward =
           [&](LayerContext& context) {
             norm_forward(context, norm, x.view(), {}, {}, y.view(), inv_rms.view());
           },
       .backward =
           [&](LayerContext& context) {
             norm_backward(context, norm, d_y.view(), x.view(), inv_rms.view(), d_x.view(), true);
           },
       .outputs = {{&y, &d_y}},
       .inputs = {{&x, &d_x}}});
}

}  // namespace
}  // namespace hone::layers
