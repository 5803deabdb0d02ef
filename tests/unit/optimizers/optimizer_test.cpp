#include "optimizers/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "optimizers/gradient_norm.h"

namespace hone::optimizers {
namespace {

ParameterRegistry registry_of_one_block() {
  ParameterRegistry registry(1);
  registry.add({"embed.weight", {4, 3}, Role::embedding, 0, true, false});
  registry.add({"frozen.weight", {2, 3}, Role::matrix, 1, false, false});
  registry.add({"q.weight", {2, 3}, Role::matrix, 1, true, false});
  registry.add({"q.bias", {2}, Role::bias, 1, true, false});
  registry.add({"norm.weight", {3}, Role::norm, 2, true, false});
  registry.add({"q.lora_A.weight", {2, 3}, Role::lora_a, 1, true, false});
  return registry;
}

TEST(DecaySegments, NormsAndBiasesDoNotDecayAndNeighboursAreJoined) {
  const ParameterRegistry registry = registry_of_one_block();
  const FlatLayout layout(registry);
  const std::vector<Segment> expected = {{0, 18, 0.1}, {18, 5, 0.0}, {23, 6, 0.1}};
  EXPECT_EQ(decay_segments(registry, layout, 0.1), expected);
  EXPECT_EQ(decay_segments(registry, layout, 0.0).size(), 1u);
}

TEST(HeldSegments, AreCutToTheRunsAndSayWhereTheArraysBegin) {
  const std::vector<Segment> whole = {{0, 18, 0.1}, {18, 5, 0.0}, {23, 6, 0.1}};
  const std::vector<HeldRun> held = {{4, 10}, {16, 9}};
  const std::vector<Segment> compact = {
      {0, 10, 0.1, 0, 0, 4}, {10, 2, 0.1, 0, 0, 6}, {12, 5, 0.0, 0, 0, 6}, {17, 2, 0.1, 0, 0, 6}};
  EXPECT_EQ(held_segments(whole, held, false, false), compact);
  std::vector<Segment> expected = compact;
  for (Segment& segment : expected) segment.weights_offset = segment.flat_offset;
  EXPECT_EQ(held_segments(whole, held, true, false), expected);
  for (Segment& segment : expected) segment.gradients_offset = segment.flat_offset;
  EXPECT_EQ(held_segments(whole, held, true, true), expected);
  EXPECT_TRUE(held_segments(whole, {}, true, true).empty());
}

TEST(Segments, InPiecesAreTheSameElementsInTheSamePlaces) {
  const std::vector<Segment> whole = {{0, 5, 0.1, 7, 8, 9}, {5, 2, 0.0, 7, 8, 9}};
  const std::vector<Segment> pieces = {
      {0, 2, 0.1, 7, 8, 9}, {2, 2, 0.1, 7, 8, 9}, {4, 1, 0.1, 7, 8, 9}, {5, 2, 0.0, 7, 8, 9}};
  EXPECT_EQ(in_pieces(whole, 2), pieces);
  EXPECT_EQ(in_pieces(whole, 100), whole);
}

TEST(ClipFactor, IsTorchs) {
  EXPECT_EQ(clip_factor(0.5, 1.0), 1.0);
  EXPECT_DOUBLE_EQ(clip_factor(4.0, 1.0), 1.0 / (4.0 + 1e-6));
  EXPECT_EQ(clip_factor(4.0, 0.0), 1.0);
}

TEST(FirstNonFinite, NamesTheParameter) {
  const ParameterRegistry registry = registry_of_one_block();
  const FlatLayout layout(registry);
  std::vector<float> values(static_cast<std::size_t>(layout.elements()), 1.0f);
  const ConstTensorView view(values.data(), DType::f32, {layout.elements()});
  EXPECT_EQ(first_non_finite(registry, layout, view), "");
  values[19] = std::numeric_limits<float>::quiet_NaN();
  values[28] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(first_non_finite(registry, layout, view), "q.bias");
}

}  // namespace
}  // namespace hone::optimizers
