#include "layers/adapter_set.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::layers {
namespace {

TEST(AdapterSet, FindsTheAdapterOfAWeight) {
  AdapterSet set(0.25);
  set.add({.target = 7, .a = 10, .b = 11, .rank = 4, .scale = 0.5, .channel = 3});
  set.add({.target = 2, .a = 12, .b = 13, .rank = 8});
  ASSERT_NE(set.find(7), nullptr);
  EXPECT_EQ(set.find(7)->a, 10);
  EXPECT_EQ(set.find(7)->rank, 4);
  ASSERT_NE(set.find(2), nullptr);
  EXPECT_EQ(set.find(2)->b, 13);
  EXPECT_EQ(set.adapters().size(), 2u);
  EXPECT_EQ(set.adapters()[0].target, 7);
  EXPECT_EQ(set.dropout_probability(), 0.25);
}

TEST(AdapterSet, OtherWeightsHaveNone) {
  AdapterSet set;
  EXPECT_EQ(set.find(0), nullptr);
  set.add({.target = 3});
  for (const ParameterId other : {kNoParameter, 0, 2, 4, 1000}) {
    EXPECT_EQ(set.find(other), nullptr) << other;
  }
  EXPECT_EQ(set.dropout_probability(), 0.0);
}

TEST(AdapterSet, AWeightHasOneAdapter) {
  AdapterSet set;
  set.add({.target = 3});
  EXPECT_THROW(set.add({.target = 3}), InternalError);
}

}  // namespace
}  // namespace hone::layers
