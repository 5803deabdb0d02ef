#include "parameters/flat_layout.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone {
namespace {

ParameterRegistry some_registry() {
  ParameterRegistry registry(1);
  registry.add({"frozen first", {100}});
  registry.add({"a", {2, 3}, Role::matrix, block_unit(0), true});
  registry.add({"frozen between", {7, 7}});
  registry.add({"b", {4}, Role::norm, kEmbeddingUnit, true});
  registry.add({"c", {5, 1}, Role::head, registry.head_unit(), true});
  registry.add({"frozen last", {100}});
  return registry;
}

TEST(FlatLayout, LaysTrainableParametersEndToEnd) {
  const FlatLayout layout(some_registry());
  ASSERT_EQ(layout.ranges().size(), 3u);
  const std::vector<std::vector<std::int64_t>> wanted = {{1, 0, 6}, {3, 6, 4}, {4, 10, 5}};
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const FlatRange& range = layout.ranges()[i];
    EXPECT_EQ((std::vector<std::int64_t>{range.id, range.first, range.elements}), wanted[i]);
    EXPECT_EQ(&layout.range_of(range.id), &range);
  }
  EXPECT_EQ(layout.elements(), 15);
}

TEST(FlatLayout, FrozenParametersHaveNoRange) {
  const FlatLayout layout(some_registry());
  for (const ParameterId frozen : {0, 2, 5}) {
    EXPECT_THROW(layout.range_of(frozen), InternalError) << frozen;
  }
}

TEST(FlatLayout, NothingTrainableIsAnEmptySpace) {
  ParameterRegistry registry(0);
  registry.add({"a", {3}});
  const FlatLayout layout(registry);
  EXPECT_EQ(layout.elements(), 0);
  EXPECT_TRUE(layout.ranges().empty());
}

// What the walk and the optimizer share must not move when a parameter is frozen afterwards.
TEST(FlatLayout, IsOfTheMomentWhenItWasMade) {
  ParameterRegistry registry = some_registry();
  const FlatLayout layout(registry);
  registry.set_trainable(1, false);
  EXPECT_EQ(layout.range_of(3).first, 6);
  EXPECT_EQ(FlatLayout(registry).range_of(3).first, 0);
}

}  // namespace
}  // namespace hone
