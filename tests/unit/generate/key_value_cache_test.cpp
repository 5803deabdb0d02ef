#include "generate/key_value_cache.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::generate {
namespace {

model::ModelDescription small_model() {
  model::ModelDescription description;
  description.blocks = 3;
  description.kv_heads = 2;
  description.head_width = 4;
  return description;
}

TEST(KeyValueCache, DeclaresAPlanRowPerBlockAndKind) {
  const KeyValueCache cache(small_model(), 100);
  Plan plan;
  cache.buffers().describe(plan);
  ASSERT_EQ(plan.rows().size(), 6u);
  EXPECT_EQ(plan.rows()[3].name, "block 1: cached values");
  std::size_t bytes = 0;
  for (const PlanRow& row : plan.rows()) {
    EXPECT_EQ(row.category, Category::key_value_cache);
    bytes += row.bytes;
  }
  EXPECT_EQ(bytes, 100 * KeyValueCache::bytes_per_token(small_model()));
  EXPECT_EQ(KeyValueCache::bytes_per_token(small_model()), 2u * 3u * 2u * 4u * 4u);
}

TEST(KeyValueCache, GrowsUpToItsCapacityAndShrinksToAnyPrefix) {
  KeyValueCache cache(small_model(), 10);
  cache.extend(4);
  cache.extend(6);
  EXPECT_EQ(cache.length(), 10);
  EXPECT_THROW(cache.extend(1), InternalError);
  cache.truncate(3);
  EXPECT_EQ(cache.length(), 3);
  EXPECT_THROW(cache.truncate(4), InternalError);
  cache.truncate(0);
  EXPECT_EQ(cache.length(), 0);
}

}  // namespace
}  // namespace hone::generate
