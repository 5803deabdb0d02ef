#include "memory/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/error.h"
#include "unit/memory/counting_device.h"

namespace hone {
namespace {

using tests::CountingDevice;

constexpr std::size_t kPage = Plan::kAlignmentBytes;

// Two lasting rows; two of a block, two of the head (the larger sum), one of the update; one that
// lies elsewhere.
Plan some_plan() {
  Plan plan;
  plan.add({"lasting", Category::weights, kPage + 4});
  plan.add({"block a", Category::scratch, 8, Lifetime::block});
  plan.add({"elsewhere", Category::weights, 100 * kPage, Lifetime::run, true});
  plan.add({"head a", Category::head, 2 * kPage, Lifetime::head});
  plan.add({"lasting too", Category::gradients, 12});
  plan.add({"head b", Category::head, 16, Lifetime::head});
  plan.add({"block b", Category::scratch, kPage, Lifetime::block});
  plan.add({"update", Category::scratch, 4, Lifetime::update});
  return plan;
}

class ArenaTest : public testing::Test {
 protected:
  // The bytes from the arena's beginning to a row, taken as bytes.
  std::int64_t offset_of(const std::string& name, std::size_t bytes) const {
    const std::byte* row = static_cast<std::byte*>(
        arena.take(name, DType::u8, {static_cast<std::int64_t>(bytes)}).raw());
    return row - static_cast<std::byte*>(arena.take("lasting", DType::u8, {kPage + 4}).raw());
  }

  CountingDevice device;
  Plan plan = some_plan();
  Arena arena{device, plan};
};

TEST_F(ArenaTest, AllocatesOnceExactlyWhatThePlanSays) {
  EXPECT_EQ(device.allocations, (std::vector<std::size_t>{plan.arena_bytes()}));
  EXPECT_EQ(arena.bytes(), plan.arena_bytes());
  EXPECT_EQ(arena.bytes(), (2 + 1 + 2 + 1) * kPage);
}

TEST_F(ArenaTest, GivesEveryRowItsPlace) {
  constexpr auto kStep = static_cast<std::int64_t>(kPage);
  EXPECT_EQ(offset_of("lasting", kPage + 4), 0);
  EXPECT_EQ(offset_of("lasting too", 12), 2 * kStep);
  // The transient lifetimes all begin behind what lasts; inside one, rows do not overlap.
  EXPECT_EQ(offset_of("block a", 8), 3 * kStep);
  EXPECT_EQ(offset_of("block b", kPage), 4 * kStep);
  EXPECT_EQ(offset_of("head a", 2 * kPage), 3 * kStep);
  EXPECT_EQ(offset_of("head b", 16), 5 * kStep);
  EXPECT_EQ(offset_of("update", 4), 3 * kStep);
}

TEST_F(ArenaTest, EveryRowStartsOnAPage) {
  for (const PlanRow& row : plan.rows()) {
    if (row.outside) continue;
    const TensorView view = arena.take(row.name, DType::u8, {static_cast<std::int64_t>(row.bytes)});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.raw()) % kPage, 0u) << row.name;
  }
}

TEST_F(ArenaTest, TakesTheSameMemoryEachTime) {
  arena.take("head b", DType::f32, {2, 2}).row<float>(1)[1] = 5.0f;
  EXPECT_EQ(arena.take("head b", DType::f32, {4}).data<float>()[3], 5.0f);
}

TEST_F(ArenaTest, ATensorNeedsExactlyItsRow) {
  EXPECT_NO_THROW(arena.take("head b", DType::f32, {2, 2}));
  EXPECT_NO_THROW(arena.take("head b", DType::bf16, {8}));
  EXPECT_THROW(arena.take("head b", DType::f32, {3}), InternalError);
  EXPECT_THROW(arena.take("head b", DType::f32, {5}), InternalError);
  EXPECT_THROW(arena.take("head b", DType::f64, {4}), InternalError);
}

TEST_F(ArenaTest, HasOnlyWhatThePlanAllocates) {
  EXPECT_THROW(arena.take("head c", DType::u8, {16}), InternalError);
  EXPECT_THROW(arena.take("elsewhere", DType::u8, {100 * kPage}), InternalError);
}

TEST(Arena, GivesItsMemoryBackOnce) {
  CountingDevice device;
  {
    Arena arena(device, some_plan());
    const Arena moved(std::move(arena));
    EXPECT_TRUE(device.releases.empty());
    EXPECT_EQ(moved.take("update", DType::u8, {4}).elements(), 4);
  }
  EXPECT_EQ(device.releases, device.allocations);
}

TEST(Arena, RowsWithoutBytesHaveViewsWithoutElements) {
  CountingDevice device;
  Plan plan;
  plan.add({"nothing", Category::scratch, 0});
  plan.add({"something", Category::scratch, 4});
  const Arena arena(device, plan);
  EXPECT_EQ(arena.take("nothing", DType::f32, {0, 7}).rows(), 0);
  EXPECT_EQ(arena.take("something", DType::f32, {1}).elements(), 1);
  EXPECT_EQ(arena.bytes(), kPage);
}

}  // namespace
}  // namespace hone
