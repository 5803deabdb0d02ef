// The table of equality: what several ranks compute is what one computes.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/squared_norm.h"
#include "ranks/ranked_training.h"

namespace hone::ranks {
namespace {

using parallel::Stage;

constexpr Stage kStages[] = {Stage::replicated, Stage::optimizer_state, Stage::gradients,
                             Stage::parameters};

void expect_same_bits(const TrainingResult& left, const TrainingResult& right) {
  EXPECT_EQ(left.losses, right.losses);
  EXPECT_EQ(left.gradient_norms, right.gradient_norms);
  EXPECT_TRUE(left.weights == right.weights);
}

// Loss 1e-5 relative, gradient norm 1e-4, at each step with the weights of the updates before.
// AdamW's first steps move a weight by the learning rate whatever its gradient's size, so where a
// gradient is rounding noise the weights may go either way: their mean difference is bounded.
void expect_close(const TrainingResult& left, const TrainingResult& right) {
  ASSERT_EQ(left.losses.size(), right.losses.size());
  for (std::size_t i = 0; i < left.losses.size(); ++i) {
    EXPECT_NEAR(left.losses[i], right.losses[i], 1e-5 * left.losses[i]) << i;
    EXPECT_NEAR(left.gradient_norms[i], right.gradient_norms[i], 1e-4 * left.gradient_norms[i])
        << i;
  }
  ASSERT_EQ(left.weights.size(), right.weights.size());
  double difference = 0.0;
  for (std::size_t i = 0; i < left.weights.size(); ++i) {
    difference += std::fabs(static_cast<double>(left.weights[i]) - right.weights[i]);
  }
  EXPECT_LT(difference / static_cast<double>(left.weights.size()), 0.05 * kLearningRate);
}

// All ranks saw the same.
const TrainingResult& agreed(const std::vector<TrainingResult>& results) {
  for (const TrainingResult& result : results) expect_same_bits(results.front(), result);
  EXPECT_EQ(results.front().losses.size(), static_cast<std::size_t>(kSteps));
  EXPECT_NE(results.front().losses.front(), results.front().losses.back());
  return results.front();
}

model::LoraOptions lora() {
  model::LoraOptions options;
  options.rank = 32;
  options.targets = {"q_proj", "v_proj", "down_proj", "lm_head"};
  return options;
}

TEST(SameMathematics, OneRankOfEveryStageHasTheBitsOfARankAlone) {
  const RankedTraining training;
  const TrainingResult alone = training.run({.micro_steps = 2}).front();
  for (const Stage stage : {Stage::replicated, Stage::optimizer_state}) {
    expect_same_bits(alone, training.run({.stage = stage, .micro_steps = 2}).front());
  }
  const TrainingResult once = training.run({}).front();
  for (const Stage stage : kStages) expect_same_bits(once, training.run({.stage = stage}).front());
}

TEST(SameMathematics, AllStagesHaveTheSameBitsAtOneWorldSizeAndAreCloseToOneRank) {
  const RankedTraining training;
  const TrainingResult alone = training.run({}).front();
  for (const int ranks : {2, 3, 4}) {
    SCOPED_TRACE(ranks);
    const auto first = training.run({.stage = Stage::replicated, .ranks = ranks});
    expect_close(alone, agreed(first));
    for (const Stage stage : kStages) {
      SCOPED_TRACE(static_cast<int>(stage));
      // Few staged elements make many rounds, which change nothing.
      const auto results =
          training.run({.stage = stage, .ranks = ranks, .staging_bytes = 10000 * (ranks - 1)});
      expect_same_bits(first.front(), agreed(results));
      // What is shared out is really not there.
      std::int64_t owned = 0;
      for (const TrainingResult& result : results) {
        owned += result.own_elements;
        const std::int64_t held =
            stage == Stage::replicated ? result.elements : result.own_elements;
        const std::size_t both_moments = static_cast<std::size_t>(held) * 2 * sizeof(float);
        EXPECT_GE(result.optimizer_bytes, both_moments);
        EXPECT_LE(result.optimizer_bytes, both_moments + 2 * Plan::kAlignmentBytes);
        EXPECT_LT(result.own_elements, result.elements);
      }
      EXPECT_EQ(owned, results.front().elements);
    }
  }
}

TEST(SameMathematics, ManyMicroStepsAreCloseToOne) {
  const RankedTraining training;
  const TrainingResult alone = training.run({}).front();
  for (const Stage stage : kStages) {
    SCOPED_TRACE(static_cast<int>(stage));
    expect_close(alone, agreed(training.run({.stage = stage, .ranks = 2, .micro_steps = 3})));
  }
}

TEST(SameMathematics, ARankWithNothingToDoTakesPart) {
  const RankedTraining training;
  const TrainingResult alone = training.run({.sequences = 2}).front();
  for (const Stage stage : kStages) {
    SCOPED_TRACE(static_cast<int>(stage));
    expect_close(
        alone,
        agreed(training.run({.stage = stage, .ranks = 3, .micro_steps = 2, .sequences = 2})));
  }
}

TEST(SameMathematics, ATiedEmbeddingGetsBothItsParts) {
  const RankedTraining training(true);
  const TrainingResult alone = training.run({}).front();
  const auto first = training.run({.stage = Stage::replicated, .ranks = 2});
  expect_close(alone, agreed(first));
  for (const Stage stage : kStages) {
    expect_same_bits(first.front(), agreed(training.run({.stage = stage, .ranks = 2})));
  }
}

TEST(SameMathematics, AdaptersAreSharedOutToo) {
  const RankedTraining training;
  const TrainingResult alone = training.run({.lora = lora()}).front();
  const auto first = training.run({.stage = Stage::replicated, .ranks = 2, .lora = lora()});
  expect_close(alone, agreed(first));
  for (const Stage stage : kStages) {
    expect_same_bits(first.front(),
                     agreed(training.run({.stage = stage, .ranks = 2, .lora = lora()})));
  }
}

TEST(SameMathematics, Bf16WeightsToo) {
  const RankedTraining training;
  const auto first = training.run({.stage = Stage::replicated, .ranks = 2, .weights = DType::bf16});
  for (const Stage stage : kStages) {
    expect_same_bits(first.front(),
                     agreed(training.run({.stage = stage, .ranks = 2, .weights = DType::bf16})));
  }
}

// The formulas of docs/algorithms.md, over all ranks: n trained elements, W ranks.
TEST(BytesOnTheWire, OfAStepAreThoseOfTheStage) {
  const RankedTraining training;
  const std::int64_t ranks = 3;
  std::int64_t previous = 0;
  for (const Stage stage : kStages) {
    SCOPED_TRACE(static_cast<int>(stage));
    const auto results = training.run({.stage = stage, .ranks = static_cast<int>(ranks)});
    std::int64_t sent = 0;
    for (const TrainingResult& result : results) sent += result.bytes_on_wire;
    const std::int64_t n = results.front().elements;
    const std::int64_t others = ranks - 1;
    const std::int64_t agreement =
        8 * ops::segments(n) * others + 8 * ranks * others;  // norm and loss
    if (stage != Stage::parameters) {
      EXPECT_EQ(sent, 2 * 4 * n * others + agreement);
      previous = sent;
      continue;
    }
    // Gathered once forward; backward finds the last block and the head where they were, and has
    // no use for the embedding.
    const std::int64_t embedding = 264 * 64;
    const std::int64_t head = 264 * 64 + 64;
    const std::int64_t block = (n - embedding - head) / 3;
    EXPECT_EQ(sent, 4 * (n + n + n - embedding - head - block) * others + agreement);
    EXPECT_GT(sent, previous);
  }
}

}  // namespace
}  // namespace hone::ranks
