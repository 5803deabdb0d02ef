#include "memory/plan.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kPage = Plan::kAlignmentBytes;

constexpr Category kCategories[] = {
    Category::weights,         Category::master_weights, Category::gradients,
    Category::optimizer_state, Category::activations,    Category::head,
    Category::key_value_cache, Category::scratch,        Category::program};

Plan plan_of(const std::vector<PlanRow>& rows) {
  Plan plan;
  for (const PlanRow& row : rows) plan.add(row);
  return plan;
}

std::size_t sum_of_categories(const Plan& plan) {
  std::size_t sum = 0;
  for (const Category category : kCategories) sum += plan.bytes_of(category);
  return sum;
}

TEST(Plan, RoundsUpToPages) {
  EXPECT_EQ(aligned_bytes(0), 0u);
  EXPECT_EQ(aligned_bytes(1), kPage);
  EXPECT_EQ(aligned_bytes(kPage), kPage);
  EXPECT_EQ(aligned_bytes(kPage + 1), 2 * kPage);
}

TEST(Plan, AnEmptyPlanNeedsNothing) {
  const Plan plan;
  EXPECT_EQ(plan.arena_bytes(), 0u);
  EXPECT_EQ(plan.total_bytes(), 0u);
  EXPECT_EQ(sum_of_categories(plan), 0u);
}

TEST(Plan, EveryRowIsRoundedNotTheirSum) {
  const Plan plan = plan_of({{"a", Category::weights, 1}, {"b", Category::weights, 1}});
  EXPECT_EQ(plan.arena_bytes(), 2 * kPage);
  EXPECT_EQ(plan.bytes_of(Category::weights), 2 * kPage);
}

TEST(Plan, KeepsRowsInTheirOrder) {
  const Plan plan = plan_of({{"b"}, {"a"}, {"c"}});
  ASSERT_EQ(plan.rows().size(), 3u);
  EXPECT_EQ(plan.rows()[0].name + plan.rows()[1].name + plan.rows()[2].name, "bac");
}

TEST(Plan, ANameIsGivenOnce) {
  Plan plan = plan_of({{"a"}});
  EXPECT_THROW(plan.add({"a", Category::head, 5, Lifetime::head}), InternalError);
}

// Each lifetime is the largest in turn, so that none is forgotten; two rows of it, so that they are
// added up and not compared one by one.
TEST(Plan, TransientLifetimesOverlayOneAnother) {
  constexpr Lifetime kTransient[] = {Lifetime::block, Lifetime::head, Lifetime::update};
  for (const Lifetime largest : kTransient) {
    Plan plan = plan_of({{"lasting", Category::weights, 2 * kPage}});
    for (const Lifetime lifetime : kTransient) {
      const std::string name = std::to_string(static_cast<int>(lifetime));
      const std::size_t bytes = (lifetime == largest ? 3 : 2) * kPage;
      plan.add({name, Category::scratch, bytes, lifetime});
      plan.add({name + " again", Category::head, 2 * kPage, lifetime});
    }
    EXPECT_EQ(plan.arena_bytes(), (2 + 3 + 2) * kPage);
    EXPECT_EQ(plan.bytes_of(Category::scratch), 3 * kPage);
    EXPECT_EQ(plan.bytes_of(Category::head), 2 * kPage);
    EXPECT_EQ(sum_of_categories(plan), plan.total_bytes());
  }
}

TEST(Plan, WhatLiesElsewhereIsCountedButNotAllocated) {
  const Plan plan = plan_of({{"mapped", Category::weights, kPage + 3, Lifetime::run, true},
                             {"taken", Category::weights, 10},
                             {"records", Category::program, 5, Lifetime::run, true}});
  EXPECT_EQ(plan.arena_bytes(), kPage);
  EXPECT_EQ(plan.outside_bytes(), kPage + 8);  // not rounded: it is where it is
  EXPECT_EQ(plan.total_bytes(), 2 * kPage + 8);
  EXPECT_EQ(plan.bytes_of(Category::weights), 2 * kPage + 3);
  EXPECT_EQ(plan.bytes_of(Category::program), 5u);
  EXPECT_EQ(sum_of_categories(plan), plan.total_bytes());
}

TEST(Plan, ACategoryOfASmallerLifetimeHasNoShare) {
  const Plan plan = plan_of({{"head", Category::head, 9 * kPage, Lifetime::head},
                             {"update", Category::optimizer_state, kPage, Lifetime::update}});
  EXPECT_EQ(plan.bytes_of(Category::optimizer_state), 0u);
  EXPECT_EQ(plan.bytes_of(Category::head), plan.total_bytes());
}

TEST(Plan, EveryCategoryHasItsOwnName) {
  std::set<std::string_view> names;
  for (const Category category : kCategories) names.insert(name(category));
  EXPECT_EQ(names.size(), std::size(kCategories));
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_THROW(name(static_cast<Category>(std::size(kCategories))), InternalError);
}

}  // namespace
}  // namespace hone
