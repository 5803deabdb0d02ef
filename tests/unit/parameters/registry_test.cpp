#include "parameters/registry.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone {
namespace {

TEST(ParameterRegistry, UnitsAreEmbeddingBlocksHead) {
  const ParameterRegistry registry(3);
  EXPECT_EQ(kEmbeddingUnit, 0);
  EXPECT_EQ(block_unit(0), 1);
  EXPECT_EQ(block_unit(2), 3);
  EXPECT_EQ(registry.head_unit(), 4);
  EXPECT_EQ(registry.blocks(), 3);
  EXPECT_EQ(ParameterRegistry(0).head_unit(), 1);
}

TEST(ParameterRegistry, NumbersParametersInOrderAndFindsThemByName) {
  ParameterRegistry registry(1);
  EXPECT_EQ(registry.find("a"), kNoParameter);
  EXPECT_EQ(registry.add({"a", {2, 3}, Role::matrix, block_unit(0)}), 0);
  EXPECT_EQ(registry.add({"b", {4}, Role::norm, registry.head_unit()}), 1);
  EXPECT_EQ(registry.size(), 2);
  EXPECT_EQ(registry.find("a"), 0);
  EXPECT_EQ(registry.find("b"), 1);
  EXPECT_EQ(registry.find("A"), kNoParameter);
  EXPECT_EQ(registry.at(1).name, "b");
  EXPECT_EQ(registry.at(1).role, Role::norm);
  EXPECT_EQ(registry.at(0).shape, (Shape{2, 3}));
}

TEST(ParameterRegistry, RefusesASecondOfAName) {
  ParameterRegistry registry(1);
  registry.add({"a", {2}});
  EXPECT_THROW(registry.add({"a", {3}}), InternalError);
}

TEST(ParameterRegistry, RefusesUnitsThatThereAreNot) {
  ParameterRegistry registry(2);
  EXPECT_NO_THROW(registry.add({"head", {1}, Role::head, 3}));
  EXPECT_THROW(registry.add({"beyond", {1}, Role::head, 4}), InternalError);
  EXPECT_THROW(registry.add({"before", {1}, Role::head, -1}), InternalError);
}

TEST(ParameterRegistry, StackedRowsContinueTheMatrixBefore) {
  ParameterRegistry registry(0);
  const auto stacked = [](const char* name, const Shape& shape) {
    return Parameter{name, shape, Role::lora_a, kEmbeddingUnit, false, true};
  };
  EXPECT_THROW(registry.add(stacked("first of all", {2, 3})), InternalError);
  registry.add({"a", {2, 3}});
  EXPECT_NO_THROW(registry.add(stacked("b", {5, 3})));
  EXPECT_THROW(registry.add(stacked("c", {5, 4})), InternalError);
}

TEST(ParameterRegistry, CountsElementsAndThoseThatAreTrained) {
  ParameterRegistry registry(2);
  EXPECT_EQ(registry.elements(), 0);
  registry.add({"embedding", {10, 4}});
  const ParameterId matrix = registry.add({"matrix", {4, 4}, Role::matrix, block_unit(1), true});
  registry.add({"norm", {4}, Role::norm, registry.head_unit(), true});
  EXPECT_EQ(registry.elements(), 60);
  EXPECT_EQ(registry.trainable_elements(), 20);
  registry.set_trainable(matrix, false);
  EXPECT_EQ(registry.elements(), 60);
  EXPECT_EQ(registry.trainable_elements(), 4);
  registry.set_trainable(0, true);
  EXPECT_EQ(registry.trainable_elements(), 44);
}

// The lowest unit, wherever its parameter stands in the order of registration.
TEST(ParameterRegistry, KnowsWhereTheBackwardPassEnds) {
  ParameterRegistry registry(2);
  const ParameterId head = registry.add({"head", {3, 4}, Role::head, registry.head_unit()});
  const ParameterId early = registry.add({"early", {4, 4}, Role::matrix, block_unit(0)});
  const ParameterId late = registry.add({"late", {4, 4}, Role::matrix, block_unit(1)});
  const ParameterId embedding = registry.add({"embedding", {3, 4}, Role::embedding});
  EXPECT_EQ(registry.first_trainable_unit(), registry.head_unit() + 1);
  registry.set_trainable(head, true);
  EXPECT_EQ(registry.first_trainable_unit(), registry.head_unit());
  registry.set_trainable(early, true);
  registry.set_trainable(late, true);
  EXPECT_EQ(registry.first_trainable_unit(), block_unit(0));
  registry.set_trainable(embedding, true);
  EXPECT_EQ(registry.first_trainable_unit(), kEmbeddingUnit);
}

}  // namespace
}  // namespace hone
