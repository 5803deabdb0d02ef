#include "layers/linear.h"

#include <gtest/gtest.h>

#include <array>

#include "ops/dropout.h"
#include "unit/layers/complex_layer.h"

namespace hone::layers {
namespace {

using tests::LayerTest;
using tests::Tensor;

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kIn = 5;
constexpr std::array<std::int64_t, 3> kOut = {4, 2, 3};

// Three layers of one input, widths unlike; adapters where a test puts them.
class LinearTest : public testing::Test {
 protected:
  // biases: the second layer's is trained, the third's frozen, the first has none.
  void add_layers(bool trainable) {
    for (std::size_t i = 0; i < kOut.size(); ++i) {
      Linear linear;
      const std::string name = std::to_string(i);
      linear.weight = layer.parameters.add("weight " + name, {kOut[i], kIn}, trainable);
      if (i > 0) linear.bias = layer.parameters.add("bias " + name, {kOut[i]}, i == 1);
      group.push_back(linear);
    }
  }

  // The A matrices first, one behind the other where stacked, then the B matrices.
  void add_adapters(const std::vector<std::size_t>& of, const std::vector<std::int64_t>& ranks,
                    bool stacked, double dropout = 0.0) {
    layer.adapters = AdapterSet(dropout);
    std::vector<Adapter> made;
    for (std::size_t n = 0; n < of.size(); ++n) {
      const ParameterId a =
          layer.parameters.add("A " + std::to_string(n), {ranks[n], kIn}, true, stacked && n > 0);
      made.push_back({.target = group[of[n]].weight,
                      .a = a,
                      .rank = ranks[n],
                      .scale = 0.5 + static_cast<double>(n),
                      .channel = static_cast<std::uint32_t>(n)});
    }
    for (std::size_t n = 0; n < of.size(); ++n) {
      made[n].b = layer.parameters.add("B " + std::to_string(n), {kOut[of[n]], ranks[n]});
      layer.adapters.add(made[n]);
    }
    lora_h = Tensor::unset({kRows, lora_columns(&layer.adapters, group)});
    // Wider than this group needs, as a block's is.
    d_lora_h = Tensor::unset({kRows, lora_columns(&layer.adapters, group) + 2});
  }

  void forward(LayerContext& context) {
    linear_forward(context, group, x.view(), lora_h.view(),
                   std::array{y[0].view(), y[1].view(), y[2].view()});
  }

  void backward(LayerContext& context) {
    const std::array d_outputs = {ConstTensorView(d_y[0].view()), ConstTensorView(d_y[1].view()),
                                  ConstTensorView(d_y[2].view())};
    linear_backward(context, group,
                    {.x = x.view(),
                     .lora_h = lora_h.view(),
                     .d_outputs = d_outputs,
                     .d_lora_h = d_lora_h.view(),
                     .d_x = d_x.view()});
  }

  tests::Proof proof() {
    return {.forward = [this](LayerContext& context) { forward(context); },
            .backward = [this](LayerContext& context) { backward(context); },
            .outputs = {{&y[0], &d_y[0]}, {&y[1], &d_y[1]}, {&y[2], &d_y[2]}},
            .inputs = {{&x, &d_x}}};
  }

  double factor(const Adapter& adapter, std::int64_t row, std::int64_t column) const {
    if (layer.dropout_keys.empty()) return 1.0;
    const ops::Dropout dropout{.probability = layer.adapters.dropout_probability(),
                               .seed = 77,
                               .channel = adapter.channel,
                               .key_of_row = layer.dropout_keys};
    if (!dropout.active()) return 1.0;
    return ops::dropout_factors(dropout, row, column / 4 * 4)[static_cast<std::size_t>(column % 4)];
  }

  // scale * dropout(x) A^T B^T, element (t, o).
  double adapted(const Adapter& adapter, std::int64_t t, std::int64_t o) const {
    double sum = 0.0;
    for (std::int64_t r = 0; r < adapter.rank; ++r) {
      double h = 0.0;
      for (std::int64_t i = 0; i < kIn; ++i) {
        h += x.at(t, i) * factor(adapter, t, i) * layer.parameters.value(adapter.a, r, i);
      }
      sum += h * layer.parameters.value(adapter.b, o, r);
    }
    return adapter.scale * sum;
  }

  // Forward against the formula of the header, then backward against forward.
  void expect_right() {
    LayerContext context = layer.context();
    forward(context);
    for (std::size_t n = 0; n < kOut.size(); ++n) {
      const Adapter* adapter = layer.adapters.find(group[n].weight);
      for (std::int64_t t = 0; t < kRows; ++t) {
        for (std::int64_t o = 0; o < kOut[n]; ++o) {
          double wanted = adapter == nullptr ? 0.0 : adapted(*adapter, t, o);
          for (std::int64_t i = 0; i < kIn; ++i) {
            wanted += x.at(t, i) * layer.parameters.value(group[n].weight, o, i);
          }
          if (group[n].bias != kNoParameter) {
            wanted += layer.parameters.value(group[n].bias, o, 0);
          }
          ASSERT_NEAR(y[n].at(t, o), wanted, 1e-13) << "layer " << n;
        }
      }
    }
    layer.expect_gradients(proof());
  }

  LayerTest layer;
  LinearGroup group;
  Tensor x = Tensor({kRows, kIn}, 1);
  Tensor d_x = Tensor::unset({kRows, kIn});
  std::array<Tensor, 3> y = {Tensor::unset({kRows, kOut[0]}), Tensor::unset({kRows, kOut[1]}),
                             Tensor::unset({kRows, kOut[2]})};
  std::array<Tensor, 3> d_y = {Tensor({kRows, kOut[0]}, 2), Tensor({kRows, kOut[1]}, 3),
                               Tensor({kRows, kOut[2]}, 4)};
  Tensor lora_h, d_lora_h;
};

TEST_F(LinearTest, WithoutAdapters) {
  add_layers(true);
  expect_right();
}

TEST_F(LinearTest, FrozenWeightsHaveNoGradient) {
  add_layers(false);
  expect_right();
}

TEST_F(LinearTest, StackedAdaptersOfEveryLayer) {
  add_layers(false);
  add_adapters({0, 1, 2}, {2, 3, 1}, true);
  expect_right();
}

TEST_F(LinearTest, AdaptersThatDoNotLieTogether) {
  add_layers(false);
  add_adapters({0, 1, 2}, {2, 2, 2}, false);
  expect_right();
}

// Only some layers have one; their A matrices still lie together.
TEST_F(LinearTest, AdaptersOfTheOuterLayers) {
  add_layers(false);
  add_adapters({0, 2}, {2, 3}, true);
  expect_right();
}

// Stacked, but in another order than the layers stand: not rows of one matrix.
TEST_F(LinearTest, StackedInAnotherOrder) {
  add_layers(false);
  add_adapters({2, 1, 0}, {2, 1, 3}, true);
  expect_right();
}

TEST_F(LinearTest, AdaptersBesideTrainedWeights) {
  add_layers(true);
  add_adapters({1}, {2}, true);
  expect_right();
}

// Each adapter drops its own elements, so stacked ones do not share a product.
TEST_F(LinearTest, DropoutOfStackedAdapters) {
  add_layers(false);
  add_adapters({0, 1, 2}, {2, 2, 2}, true, 0.4);
  layer.dropout_keys = {5, 9, 2};
  expect_right();
  const Adapter& first = layer.adapters.adapters()[0];
  const Adapter& second = layer.adapters.adapters()[1];
  bool differs = false;
  for (std::int64_t i = 0; i < kRows * kIn; ++i) {
    differs = differs || factor(first, i / kIn, i % kIn) != factor(second, i / kIn, i % kIn);
  }
  EXPECT_TRUE(differs) << "this seed drops the same of both: the test shows nothing";
}

TEST_F(LinearTest, NothingIsDroppedWithoutKeys) {
  add_layers(false);
  add_adapters({0, 1}, {2, 2}, true, 0.9);
  expect_right();
}

TEST_F(LinearTest, KeysWithoutProbabilityDropNothing) {
  add_layers(false);
  add_adapters({0, 1}, {2, 2}, true, 0.0);
  layer.dropout_keys = {5, 9, 2};
  expect_right();
}

// The reference model: the same weights, the set left out.
TEST_F(LinearTest, WithoutTheSetThereAreNoAdapters) {
  add_layers(false);
  LayerContext plain = layer.context();
  forward(plain);
  const std::vector<tests::Number> wanted = y[0].values;
  add_adapters({0}, {2}, true);
  LayerContext context = layer.context();
  forward(context);
  EXPECT_NE(y[0].values, wanted);
  context.adapters = nullptr;
  lora_h = Tensor();
  forward(context);
  EXPECT_EQ(y[0].values, wanted);
  EXPECT_EQ(lora_columns(nullptr, group), 0);
}

// The lowest unit that trains something needs no gradient of its input.
TEST_F(LinearTest, GradientsDoNotNeedTheInputs) {
  add_layers(true);
  add_adapters({0, 1}, {2, 1}, true);
  d_x = Tensor();
  tests::Proof without = proof();
  without.inputs.clear();
  layer.expect_gradients(without);
}

TEST_F(LinearTest, ColumnsAreTheSumOfTheGroupsRanks) {
  add_layers(false);
  add_adapters({0, 2}, {2, 3}, true);
  EXPECT_EQ(lora_columns(&layer.adapters, group), 5);
  EXPECT_EQ(lora_columns(&layer.adapters, {group[1]}), 0);
  EXPECT_EQ(lora_columns(&layer.adapters, {group[2]}), 3);
}

}  // namespace
}  // namespace hone::layers
