#include "parallel/sharding/shard_map.h"

#include <gtest/gtest.h>

namespace hone::parallel {
namespace {

ParameterRegistry registry_of(const std::vector<std::int64_t>& sizes) {
  ParameterRegistry registry(static_cast<std::int64_t>(sizes.size()) - 2);
  for (std::size_t unit = 0; unit < sizes.size(); ++unit) {
    registry.add({.name = "unit " + std::to_string(unit),
                  .shape = {sizes[unit]},
                  .role = Role::matrix,
                  .unit = static_cast<Unit>(unit),
                  .trainable = sizes[unit] > 0});
  }
  return registry;
}

TEST(ShardMap, DealsTheSegmentsOfEachUnitAndEvensOutWhatIsLeft) {
  // In segments of 10: unit 0 begins in 0 and 1, unit 1 in 2 to 6, unit 2 in 7 and 8.
  const ParameterRegistry registry = registry_of({15, 50, 23});
  const FlatLayout layout(registry);
  const ShardMap map(registry, layout, 3, 10);
  EXPECT_EQ(map.parts().front(), (Part{0, 0, 10}));
  std::int64_t next = 0;
  for (const Part& part : map.parts()) {
    EXPECT_EQ(part.first, next);
    EXPECT_EQ(part.first % 10, 0);
    next += part.elements;
  }
  EXPECT_EQ(next, 88);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_GE(map.owned_elements(rank), 28) << rank;
    EXPECT_LE(map.owned_elements(rank), 30) << rank;
    EXPECT_EQ(map.owned_elements(rank), owned_elements(map.parts(), rank));
  }
}

TEST(ShardMap, OneRankOwnsEverythingInOnePart) {
  const ParameterRegistry registry = registry_of({15, 50, 23});
  const ShardMap map(registry, FlatLayout(registry), 1, 10);
  EXPECT_EQ(map.parts(), (std::vector<Part>{{0, 0, 88}}));
  EXPECT_EQ(map.owned(0), (std::vector<FlatRun>{{0, 88}}));
}

TEST(ShardMap, MoreRanksThanSegmentsLeaveSomeWithNothing) {
  const ParameterRegistry registry = registry_of({4, 4, 4});
  const ShardMap map(registry, FlatLayout(registry), 4, 10);
  std::int64_t sum = 0;
  int empty = 0;
  for (int rank = 0; rank < 4; ++rank) {
    sum += map.owned_elements(rank);
    if (map.owned(rank).empty()) ++empty;
  }
  EXPECT_EQ(sum, 12);
  EXPECT_EQ(empty, 2);
}

TEST(ShardMap, PartsWithinARunAndPlacesInTheShard) {
  const ParameterRegistry registry = registry_of({15, 50, 23});
  const ShardMap map(registry, FlatLayout(registry), 2, 10);
  std::int64_t counted[2] = {0, 0};
  for (const Part& part : map.parts()) {
    EXPECT_EQ(map.owned_before(part.owner, part.first), counted[part.owner]);
    counted[part.owner] += part.elements;
    EXPECT_EQ(map.owned_before(part.owner, part.first + 1),
              counted[part.owner] - part.elements + 1);
  }
  std::int64_t next = 0;
  for (const Part& part : map.parts_within({13, 31})) {
    EXPECT_EQ(part.first, next);
    next += part.elements;
    bool inside = false;
    for (const FlatRun& run : map.owned(part.owner)) {
      inside = inside || (run.first <= 13 + part.first &&
                          13 + part.first + part.elements <= run.first + run.elements);
    }
    EXPECT_TRUE(inside);
  }
  EXPECT_EQ(next, 31);
}

TEST(ShardMap, PartsInSegmentsOfTheNorm) {
  constexpr std::int64_t kSegment = ops::SquaredNorm::kSegmentElements;
  const ParameterRegistry registry = registry_of({3 * kSegment + 5, 2 * kSegment, 7});
  const ShardMap map(registry, FlatLayout(registry), 2);
  std::int64_t next = 0;
  for (const Part& part : map.segment_parts()) {
    EXPECT_EQ(part.first, next);
    next += part.elements;
  }
  EXPECT_EQ(next, 6);
}

TEST(UnitRuns, NeighboursAreJoinedAndFrozenUnitsAreEmpty) {
  ParameterRegistry registry(1);
  registry.add({.name = "a", .shape = {4}, .unit = 0, .trainable = true});
  registry.add({.name = "b", .shape = {3}, .unit = 1, .trainable = true});
  registry.add({.name = "c", .shape = {2}, .unit = 1, .trainable = false});
  registry.add({.name = "d", .shape = {2}, .unit = 1, .trainable = true});
  registry.add({.name = "e", .shape = {1}, .unit = 0, .trainable = true});
  const auto runs = unit_runs(registry, FlatLayout(registry));
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0], (std::vector<FlatRun>{{0, 4}, {9, 1}}));
  EXPECT_EQ(runs[1], (std::vector<FlatRun>{{4, 5}}));
  EXPECT_TRUE(runs[2].empty());
  EXPECT_EQ(elements_of(runs[0]), 5);
}

}  // namespace
}  // namespace hone::parallel
