#include "layers/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "unit/layers/complex_layer.h"

namespace hone::layers {
namespace {

using tests::LayerTest;
using tests::Number;
using tests::Tensor;

// Two sequences of three and two tokens; four query heads that share two key heads.
constexpr std::int64_t kRows = 5;
constexpr std::int64_t kWidth = 3;
constexpr std::int64_t kHeads = 4;
constexpr std::int64_t kKeyHeads = 2;
constexpr std::int64_t kHeadWidth = 4;
constexpr std::int64_t kQueryColumns = kHeads * kHeadWidth;
constexpr std::int64_t kKeyColumns = kKeyHeads * kHeadWidth;

class AttentionTest : public testing::Test {
 protected:
  AttentionTest() {
    const auto weight = [&](const char* name, std::int64_t rows, std::int64_t columns) {
      return layer.parameters.add(name, {rows, columns});
    };
    attention.heads = kHeads;
    attention.kv_heads = kKeyHeads;
    attention.head_width = kHeadWidth;
    attention.qkv = {
        {weight("q", kQueryColumns, kWidth), layer.parameters.add("q bias", {kQueryColumns})},
        {weight("k", kKeyColumns, kWidth)},
        {weight("v", kKeyColumns, kWidth)}};
    attention.out = {{weight("o", kWidth, kQueryColumns)}};
    for (std::int64_t p = 0; p < 3; ++p) {
      for (std::int64_t i = 0; i < kHeadWidth / 2; ++i) {
        const double angle = static_cast<double>(p) * (i == 0 ? 1.0 : 0.3);
        cosines.values[static_cast<std::size_t>(p * 2 + i)] = std::cos(angle);
        sines.values[static_cast<std::size_t>(p * 2 + i)] = std::sin(angle);
      }
    }
  }

  void normalize_heads() {
    attention.q_norm = {layer.parameters.add("q norm", {kHeadWidth}), 0.1};
    attention.k_norm = {layer.parameters.add("k norm", {kHeadWidth}), 0.2};
    q_raw = Tensor::unset({kRows, kQueryColumns});
    k_raw = Tensor::unset({kRows, kKeyColumns});
    q_inv_rms = Tensor::unset({kRows, kHeads});
    k_inv_rms = Tensor::unset({kRows, kKeyHeads});
  }

  void add_adapters() {
    const ParameterId q_a = layer.parameters.add("q A", {2, kWidth});
    const ParameterId v_a = layer.parameters.add("v A", {1, kWidth}, true, true);
    const ParameterId o_a = layer.parameters.add("o A", {2, kQueryColumns});
    const ParameterId q_b = layer.parameters.add("q B", {kQueryColumns, 2});
    const ParameterId v_b = layer.parameters.add("v B", {kKeyColumns, 1});
    const ParameterId o_b = layer.parameters.add("o B", {kWidth, 2});
    layer.adapters.add({attention.qkv[0].weight, q_a, q_b, 2, 0.5, 0});
    layer.adapters.add({attention.qkv[2].weight, v_a, v_b, 1, 1.5, 1});
    layer.adapters.add({attention.out[0].weight, o_a, o_b, 2, 2.0, 2});
    qkv_h = Tensor::unset({kRows, 3});
    out_h = Tensor::unset({kRows, 2});
    d_lora_h = Tensor::unset({kRows, 3});
  }

  AttentionSaved saved() {
    return {q.view(),           k.view(),         v.view(),        attended.view(),
            log_sum_exp.view(), qkv_h.view(),     out_h.view(),    q_raw.view(),
            k_raw.view(),       q_inv_rms.view(), k_inv_rms.view()};
  }
  Placement placement() {
    return {positions, query_starts, key_starts, key_lengths, cosines.view(), sines.view(), 0.7};
  }

  tests::Proof proof() {
    return {.forward =
                [this](LayerContext& context) {
                  project_qkv(context, attention, placement(), x.view(), saved());
                  attend(context, attention, placement(), k.view(), v.view(), saved(), out.view());
                },
            .backward =
                [this](LayerContext& context) {
                  const AttentionWork work = {d_attended.view(), d_q.view(), d_k.view(), d_v.view(),
                                              d_lora_h.view()};
                  attention_backward(context, attention, placement(), x.view(), saved(), work,
                                     d_out.view(), d_x.view());
                },
            .outputs = {{&out, &d_out}},
            .inputs = {{&x, &d_x}}};
  }

  // One head of a projection: product, bias, norm over the head, rotation; as the header says.
  std::vector<double> projected(const Linear& linear, const Norm& norm, bool rotates,
                                std::int64_t t, std::int64_t head) const {
    std::vector<double> values;
    for (std::int64_t e = 0; e < kHeadWidth; ++e) {
      const std::int64_t o = head * kHeadWidth + e;
      double sum = linear.bias == kNoParameter ? 0.0 : layer.parameters.value(linear.bias, o, 0);
      for (std::int64_t i = 0; i < kWidth; ++i) {
        sum += x.at(t, i) * layer.parameters.value(linear.weight, o, i);
      }
      values.push_back(sum);
    }
    if (norm.weight != kNoParameter) {
      double squares = 0.0;
      for (const double value : values) squares += value * value;
      const double scale = 1.0 / std::sqrt(squares / kHeadWidth + norm.epsilon);
      for (std::size_t e = 0; e < values.size(); ++e) {
        values[e] *= scale * layer.parameters.value(norm.weight, static_cast<std::int64_t>(e), 0);
      }
    }
    if (!rotates) return values;
    const std::int64_t position = positions[static_cast<std::size_t>(t)];
    std::vector<double> rotated = values;
    for (std::size_t i = 0; i < 2; ++i) {
      const double c = cosines.at(position, static_cast<std::int64_t>(i));
      const double s = sines.at(position, static_cast<std::int64_t>(i));
      rotated[i] = values[i] * c - values[i + 2] * s;
      rotated[i + 2] = values[i + 2] * c + values[i] * s;
    }
    return rotated;
  }

  // What query head `head` of token t gathers.
  std::vector<double> gathered(std::int64_t t, std::int64_t head) const {
    const std::int64_t first_of_sequence = t < 3 ? 0 : 3;
    const std::int64_t first = attention.window == 0
                                   ? first_of_sequence
                                   : std::max(first_of_sequence, t - attention.window + 1);
    const std::vector<double> query = projected(attention.qkv[0], attention.q_norm, true, t, head);
    std::vector<double> result(kHeadWidth, 0.0);
    double total = 0.0;
    for (std::int64_t key = first; key <= t; ++key) {
      const auto keys = projected(attention.qkv[1], attention.k_norm, true, key, head / 2);
      const auto values = projected(attention.qkv[2], {}, false, key, head / 2);
      double score = 0.0;
      for (std::size_t e = 0; e < keys.size(); ++e) score += query[e] * keys[e];
      const double weight = std::exp(0.7 * score);
      total += weight;
      for (std::size_t e = 0; e < keys.size(); ++e) result[e] += weight * values[e];
    }
    for (double& value : result) value /= total;
    return result;
  }

  void expect_forward() {
    LayerContext context = layer.context();
    proof().forward(context);
    for (std::int64_t t = 0; t < kRows; ++t) {
      std::vector<double> all;
      for (std::int64_t head = 0; head < kHeads; ++head) {
        for (const double value : gathered(t, head)) all.push_back(value);
      }
      for (std::int64_t d = 0; d < kWidth; ++d) {
        double wanted = 0.0;
        for (std::int64_t i = 0; i < kQueryColumns; ++i) {
          wanted += all[static_cast<std::size_t>(i)] *
                    layer.parameters.value(attention.out[0].weight, d, i);
        }
        ASSERT_NEAR(out.at(t, d), wanted, 1e-13) << "token " << t;
      }
    }
  }

  LayerTest layer;
  Attention attention;
  const std::vector<std::int32_t> positions = {0, 1, 2, 0, 1};
  const std::vector<std::int32_t> query_starts = {0, 3, 5};
  const std::vector<std::int32_t> key_starts = {0, 3};
  const std::vector<std::int32_t> key_lengths = {3, 2};
  Tensor cosines = Tensor::unset({3, 2}), sines = cosines;
  Tensor x = Tensor({kRows, kWidth}, 1), d_out = Tensor({kRows, kWidth}, 2);
  Tensor out = Tensor::unset({kRows, kWidth}), d_x = out;
  Tensor q = Tensor::unset({kRows, kQueryColumns}), attended = q, d_attended = q, d_q = q;
  Tensor k = Tensor::unset({kRows, kKeyColumns}), v = k, d_k = k, d_v = k;
  Tensor log_sum_exp = Tensor::unset({kRows, kHeads});
  Tensor q_raw, k_raw, q_inv_rms, k_inv_rms, qkv_h, out_h, d_lora_h;
};

TEST_F(AttentionTest, IsWhatItsHeaderSays) {
  expect_forward();
}

TEST_F(AttentionTest, NormalizesHeadsBeforeItRotatesThem) {
  normalize_heads();
  expect_forward();
}

TEST_F(AttentionTest, SeesTheLastKeysOnly) {
  LayerContext context = layer.context();
  proof().forward(context);
  const std::vector<Number> all = out.values;
  attention.window = 2;
  expect_forward();
  EXPECT_NE(out.values, all);
}

TEST_F(AttentionTest, Gradients) {
  layer.expect_gradients(proof());
}

TEST_F(AttentionTest, GradientsOfNormalizedHeads) {
  normalize_heads();
  layer.expect_gradients(proof());
}

TEST_F(AttentionTest, GradientsWithAWindow) {
  attention.window = 2;
  layer.expect_gradients(proof());
}

TEST_F(AttentionTest, GradientsWithAdapters) {
  normalize_heads();
  add_adapters();
  layer.expect_gradients(proof());
}

TEST_F(AttentionTest, GradientsDoNotNeedTheInputs) {
  add_adapters();
  d_x = Tensor();
  tests::Proof without = proof();
  without.inputs.clear();
  layer.expect_gradients(without);
}

}  // namespace
}  // namespace hone::layers
