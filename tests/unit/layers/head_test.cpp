#include "layers/head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "kernels/reference/reference_table.h"
#include "losses/cross_entropy.h"
#include "parameters/resident.h"

namespace hone::layers {
namespace {

constexpr std::int64_t kLabels = 5;
constexpr std::int64_t kWidth = 3;
constexpr std::int64_t kVocabulary = 7;
constexpr std::int64_t kRank = 2;
constexpr double kScale = 0.25;
// f32 storage of values near 1, a few roundings each.
constexpr double kTolerance = 3e-6;

// An f32 tensor that owns its numbers.
struct Matrix {
  explicit Matrix(const Shape& extents, double filled)
      : shape(extents),
        values(static_cast<std::size_t>(extents.elements()), static_cast<float>(filled)) {}
  Matrix(const Shape& extents, std::uint64_t seed) : Matrix(extents, 0.0) {
    const CounterRandom random(seed, RandomStream::sampling);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(2.0 * random.uniform(i, 0) - 1.0);
    }
  }
  TensorView view() { return TensorView(values.data(), DType::f32, shape); }
  double at(std::int64_t row, std::int64_t column) const {
    return values[static_cast<std::size_t>(row * shape.columns() + column)];
  }

  Shape shape;
  std::vector<float> values;
};

class HeadTest : public testing::Test {
 protected:
  HeadTest() {
    head.linear = {
        {registry.add({"head", {kVocabulary, kWidth}, Role::head, kEmbeddingUnit, true})}};
    const ParameterId a = registry.add({"A", {kRank, kWidth}, Role::lora_a, kEmbeddingUnit, true});
    const ParameterId b =
        registry.add({"B", {kVocabulary, kRank}, Role::lora_b, kEmbeddingUnit, true});
    adapters.add({head.linear[0].weight, a, b, kRank, 1.5, 0});
    ops.table = &kernels::reference_table();
  }

  // The head with chunks of `rows` rows; the loss. Gradients go to `flat`.
  double run(std::int64_t rows, bool adapted, bool training) {
    const FlatLayout layout(registry);
    flat = Matrix({layout.elements()}, 0.0);
    ResidentParameters parameters(registry);
    ResidentGradients gradients(registry, layout, flat.view());
    parameters.place(0, weight.view());
    parameters.place(1, lora_a.view());
    parameters.place(2, lora_b.view());
    LayerContext context{.ops = ops,
                         .registry = registry,
                         .parameters = parameters,
                         .gradients = training ? &gradients : nullptr,
                         .adapters = adapted ? &adapters : nullptr,
                         .dropout_keys = {}};
    Matrix logits({rows, kVocabulary}, NAN), log_probability({rows}, NAN), sums({rows}, NAN);
    Matrix coefficient({rows}, NAN), h({rows, kRank}, NAN), d_h({rows, kRank}, NAN);
    HeadWork work{logits.view(), log_probability.view(), sums.view(), coefficient.view(), {}, {}};
    if (adapted) {
      work.lora_h = h.view();
      work.d_lora_h = d_h.view();
    }
    d_x = Matrix({kLabels, kWidth}, NAN);
    return head_loss(context, head, {x.view(), labels, weights, kScale}, loss, work,
                     training ? d_x.view() : TensorView());
  }

  // Row v of weight + scale B A.
  double effective(std::int64_t v, std::int64_t i, bool adapted) const {
    double value = weight.at(v, i);
    for (std::int64_t r = 0; adapted && r < kRank; ++r) {
      value += 1.5 * lora_b.at(v, r) * lora_a.at(r, i);
    }
    return value;
  }

  // Probabilities of one row, by the formula.
  std::vector<double> probabilities(std::int64_t row, bool adapted) const {
    std::vector<double> p;
    double sum = 0.0;
    for (std::int64_t v = 0; v < kVocabulary; ++v) {
      double logit = 0.0;
      for (std::int64_t i = 0; i < kWidth; ++i) logit += x.at(row, i) * effective(v, i, adapted);
      p.push_back(std::exp(logit));
      sum += p.back();
    }
    for (double& value : p) value /= sum;
    return p;
  }

  void expect_right(std::int64_t chunk_rows, bool adapted) {
    SCOPED_TRACE("chunks of " + std::to_string(chunk_rows));
    const double value = run(chunk_rows, adapted, true);
    double wanted = 0.0;
    Matrix d_weight({kVocabulary, kWidth}, 0.0);  // of the effective weight
    for (std::int64_t row = 0; row < kLabels; ++row) {
      const auto n = static_cast<std::size_t>(row);
      const std::vector<double> p = probabilities(row, adapted);
      const auto label = static_cast<std::size_t>(labels[n]);
      wanted -= static_cast<double>(weights[n]) * std::log(p[label]);
      for (std::int64_t i = 0; i < kWidth; ++i) {
        double gradient = 0.0;
        for (std::size_t v = 0; v < p.size(); ++v) {
          const double d_logit = kScale * weights[n] * (p[v] - (v == label ? 1.0 : 0.0));
          const auto token = static_cast<std::int64_t>(v);
          gradient += d_logit * effective(token, i, adapted);
          d_weight.values[v * kWidth + static_cast<std::size_t>(i)] +=
              static_cast<float>(d_logit * x.at(row, i));
        }
        EXPECT_NEAR(d_x.at(row, i), gradient, kTolerance) << "row " << row;
      }
    }
    EXPECT_NEAR(value, wanted, 10.0 * kTolerance);
    for (std::size_t i = 0; i < d_weight.values.size(); ++i) {
      EXPECT_NEAR(flat.values[i], d_weight.values[i], kTolerance) << "weight, element " << i;
    }
    if (adapted) expect_adapter_gradients(d_weight);
  }

  // With W' = W + s B A: d_A = s B^T d_W', d_B = s d_W' A^T.
  void expect_adapter_gradients(const Matrix& d_weight) const {
    const std::size_t first_a = kVocabulary * kWidth;
    const std::size_t first_b = first_a + kRank * kWidth;
    for (std::int64_t r = 0; r < kRank; ++r) {
      for (std::int64_t i = 0; i < kWidth; ++i) {
        double wanted = 0.0;
        for (std::int64_t v = 0; v < kVocabulary; ++v) {
          wanted += 1.5 * lora_b.at(v, r) * d_weight.at(v, i);
        }
        EXPECT_NEAR(flat.values[first_a + static_cast<std::size_t>(r * kWidth + i)], wanted,
                    kTolerance);
      }
      for (std::int64_t v = 0; v < kVocabulary; ++v) {
        double wanted = 0.0;
        for (std::int64_t i = 0; i < kWidth; ++i) {
          wanted += 1.5 * d_weight.at(v, i) * lora_a.at(r, i);
        }
        EXPECT_NEAR(flat.values[first_b + static_cast<std::size_t>(v * kRank + r)], wanted,
                    kTolerance);
      }
    }
  }

  ParameterRegistry registry{0};
  Head head;
  AdapterSet adapters;
  ops::OpContext ops;
  losses::CrossEntropy loss;
  Matrix x = Matrix({kLabels, kWidth}, std::uint64_t{1});
  Matrix weight = Matrix({kVocabulary, kWidth}, std::uint64_t{2});
  Matrix lora_a = Matrix({kRank, kWidth}, std::uint64_t{3});
  Matrix lora_b = Matrix({kVocabulary, kRank}, std::uint64_t{4});
  Matrix flat = Matrix({1}, 0.0), d_x = Matrix({1}, 0.0);
  std::vector<std::int32_t> labels = {6, 0, 3, 3, 1};
  std::vector<float> weights = {1.0f, 0.5f, 2.0f, 0.0f, 1.0f};
};

// Chunks that end with the rows, before them, and behind them.
TEST_F(HeadTest, ChunksDoNotChangeTheLossOrItsGradients) {
  for (const std::int64_t rows : {1, 2, 3, 4, 5, 8}) expect_right(rows, false);
}

TEST_F(HeadTest, AnAdapterOfTheHead) {
  for (const std::int64_t rows : {2, 5, 8}) expect_right(rows, true);
}

TEST_F(HeadTest, WithoutGradientsTheLossIsTheSame) {
  const double training = run(2, true, true);
  EXPECT_EQ(run(2, true, false), training);
  for (const float value : d_x.values) EXPECT_TRUE(std::isnan(value)) << "it was not asked for";
  for (const float value : flat.values) EXPECT_EQ(value, 0.0f);
}

TEST_F(HeadTest, NoLabelsCostNothing) {
  x = Matrix({0, kWidth}, 0.0);
  labels.clear();
  weights.clear();
  EXPECT_EQ(run(4, false, true), 0.0);
  for (const float value : flat.values) EXPECT_EQ(value, 0.0f);
}

TEST_F(HeadTest, AFrozenHeadHandsTheGradientOn) {
  registry.set_trainable(0, false);
  const FlatLayout layout(registry);
  EXPECT_EQ(layout.elements(), kRank * kWidth + kVocabulary * kRank);
  run(2, false, true);
  for (const float value : flat.values) EXPECT_EQ(value, 0.0f);
  for (const float value : d_x.values) EXPECT_FALSE(std::isnan(value));
}

}  // namespace
}  // namespace hone::layers
