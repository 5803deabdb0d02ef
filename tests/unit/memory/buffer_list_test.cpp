#include "memory/buffer_list.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/memory/counting_device.h"

namespace hone {
namespace {

TEST(BufferList, BecomesRowsOfThePlan) {
  TensorView a, b;
  BufferList list;
  list.add(a, "a", Category::activations, DType::bf16, {3, 5});
  list.add(b, "b", Category::head, DType::f32, {7}, Lifetime::head);
  Plan plan;
  plan.add({"another's"});
  list.describe(plan);
  ASSERT_EQ(plan.rows().size(), 3u);
  const PlanRow& first = plan.rows()[1];
  EXPECT_EQ(first.name, "a");
  EXPECT_EQ(first.category, Category::activations);
  EXPECT_EQ(first.bytes, 30u);
  EXPECT_EQ(first.lifetime, Lifetime::run);
  EXPECT_FALSE(first.outside);
  const PlanRow& second = plan.rows()[2];
  EXPECT_EQ(second.name, "b");
  EXPECT_EQ(second.category, Category::head);
  EXPECT_EQ(second.bytes, 28u);
  EXPECT_EQ(second.lifetime, Lifetime::head);
  EXPECT_FALSE(a.present()) << "bound before there was memory";
}

TEST(BufferList, BindsViewsToTheirRows) {
  TensorView a, b;
  BufferList list;
  list.add(a, "a", Category::activations, DType::bf16, {3, 5});
  list.add(b, "b", Category::head, DType::f32, {7}, Lifetime::head);
  tests::CountingDevice device;
  Plan plan;
  list.describe(plan);
  const Arena arena(device, plan);
  list.bind(arena);
  EXPECT_EQ(a.raw(), arena.take("a", DType::bf16, {3, 5}).raw());
  EXPECT_EQ(a.dtype(), DType::bf16);
  EXPECT_EQ(a.shape(), (Shape{3, 5}));
  EXPECT_EQ(b.raw(), arena.take("b", DType::f32, {7}).raw());
  EXPECT_EQ(b.shape(), (Shape{7}));
}

// A list made again (as a plan of another run would) serves a new arena; the views follow.
TEST(BufferList, BindsAgainToAnotherArena) {
  TensorView a;
  BufferList list;
  list.add(a, "a", Category::scratch, DType::f32, {4});
  tests::CountingDevice device;
  Plan plan;
  list.describe(plan);
  const Arena first(device, plan);
  const Arena second(device, plan);
  list.bind(first);
  list.bind(second);
  EXPECT_EQ(a.raw(), second.take("a", DType::f32, {4}).raw());
}

TEST(BufferList, RefusesAnArenaOfAnotherPlan) {
  TensorView a;
  BufferList list;
  list.add(a, "a", Category::scratch, DType::f32, {4});
  tests::CountingDevice device;
  Plan plan;
  plan.add({"a", Category::scratch, 12});
  const Arena smaller(device, plan);
  EXPECT_THROW(list.bind(smaller), InternalError);
  const Arena empty(device, Plan());
  EXPECT_THROW(list.bind(empty), InternalError);
}

}  // namespace
}  // namespace hone
