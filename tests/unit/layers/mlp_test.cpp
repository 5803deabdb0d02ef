#include "layers/mlp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/layers/complex_layer.h"

namespace hone::layers {
namespace {

using tests::LayerTest;
using tests::Tensor;

constexpr std::int64_t kRows = 3;
constexpr std::int64_t kWidth = 4;
constexpr std::int64_t kInner = 5;

class MlpTest : public testing::Test {
 protected:
  explicit MlpTest(bool trainable = true) {
    mlp.gate_up = {{layer.parameters.add("gate", {kInner, kWidth}, trainable)},
                   {layer.parameters.add("up", {kInner, kWidth}, trainable)}};
    mlp.down = {{layer.parameters.add("down", {kWidth, kInner}, trainable)}};
  }

  void add_adapters() {
    const ParameterId gate_a = layer.parameters.add("gate A", {2, kWidth});
    const ParameterId up_a = layer.parameters.add("up A", {1, kWidth}, true, true);
    const ParameterId down_a = layer.parameters.add("down A", {3, kInner});
    const auto b = [&](const char* name, std::int64_t rows, std::int64_t rank) {
      return layer.parameters.add(name, {rows, rank});
    };
    layer.adapters.add({mlp.gate_up[0].weight, gate_a, b("gate B", kInner, 2), 2, 0.5, 0});
    layer.adapters.add({mlp.gate_up[1].weight, up_a, b("up B", kInner, 1), 1, 1.5, 1});
    layer.adapters.add({mlp.down[0].weight, down_a, b("down B", kWidth, 3), 3, 2.0, 2});
    gate_up_h = Tensor::unset({kRows, 3});
    down_h = Tensor::unset({kRows, 3});
    d_lora_h = Tensor::unset({kRows, 4});
  }

  MlpSaved saved() { return {gate.view(), up.view(), gate_up_h.view(), down_h.view()}; }
  MlpWork work() { return {activation.view(), d_activation.view(), d_lora_h.view()}; }

  tests::Proof proof() {
    return {.forward =
                [this](LayerContext& context) {
                  mlp_forward(context, mlp, x.view(), saved(), work(), out.view());
                },
            .backward =
                [this](LayerContext& context) {
                  // Not saved: backward has to make it again.
                  activation = Tensor::unset({kRows, kInner});
                  mlp_backward(context, mlp, x.view(), saved(), work(), d_out.view(), d_x.view());
                },
            .outputs = {{&out, &d_out}},
            .inputs = {{&x, &d_x}}};
  }

  LayerTest layer;
  Mlp mlp;
  Tensor x = Tensor({kRows, kWidth}, 1), d_out = Tensor({kRows, kWidth}, 2);
  Tensor out = Tensor::unset({kRows, kWidth}), d_x = Tensor::unset({kRows, kWidth});
  Tensor gate = Tensor::unset({kRows, kInner}), up = gate, activation = gate, d_activation = gate;
  Tensor gate_up_h, down_h, d_lora_h;
};

class AdaptedMlpTest : public MlpTest {
 protected:
  AdaptedMlpTest() : MlpTest(false) { add_adapters(); }
};

TEST_F(MlpTest, IsDownOfSiluOfGateTimesUp) {
  LayerContext context = layer.context();
  proof().forward(context);
  const auto product = [&](ParameterId weight, std::int64_t t, std::int64_t o) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < kWidth; ++i) {
      sum += x.at(t, i) * layer.parameters.value(weight, o, i);
    }
    return sum;
  };
  for (std::int64_t t = 0; t < kRows; ++t) {
    for (std::int64_t d = 0; d < kWidth; ++d) {
      double wanted = 0.0;
      for (std::int64_t f = 0; f < kInner; ++f) {
        const double g = product(mlp.gate_up[0].weight, t, f);
        wanted += g / (1.0 + std::exp(-g)) * product(mlp.gate_up[1].weight, t, f) *
                  layer.parameters.value(mlp.down[0].weight, d, f);
      }
      ASSERT_NEAR(out.at(t, d), wanted, 1e-14);
    }
  }
}

TEST_F(MlpTest, Gradients) {
  layer.expect_gradients(proof());
}

TEST_F(AdaptedMlpTest, Gradients) {
  layer.expect_gradients(proof());
}

TEST_F(AdaptedMlpTest, GradientsWithDropout) {
  AdapterSet dropped(0.5);
  for (const Adapter& adapter : layer.adapters.adapters()) dropped.add(adapter);
  layer.adapters = dropped;
  layer.dropout_keys = {3, 1, 4};
  layer.expect_gradients(proof());
}

TEST_F(AdaptedMlpTest, GradientsDoNotNeedTheInputs) {
  d_x = Tensor();
  tests::Proof without = proof();
  without.inputs.clear();
  layer.expect_gradients(without);
}

}  // namespace
}  // namespace hone::layers
