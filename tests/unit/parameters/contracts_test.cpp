#include "parameters/contracts.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.h"

namespace hone {
namespace {

// 12 floats: matrices of three columns that lie behind one another.
class Stack : public testing::Test {
 protected:
  TensorView rows(std::int64_t first, std::int64_t count) {
    return TensorView(values.data() + first * 3, DType::f32, {count, 3});
  }
  std::vector<float> values = std::vector<float>(12);
};

TEST_F(Stack, RowsOfNeighboursAreOneMatrix) {
  const TensorView two = stack(rows(0, 1), rows(1, 2));
  EXPECT_EQ(two.raw(), values.data());
  EXPECT_EQ(two.shape(), (Shape{3, 3}));
  EXPECT_TRUE(two.contiguous());
  // Only the first and the last are named; what lies between belongs to them.
  EXPECT_EQ(stack(rows(0, 1), rows(3, 1)).shape(), (Shape{4, 3}));
}

TEST_F(Stack, OneMatrixIsItself) {
  const ConstTensorView one = rows(1, 2);
  EXPECT_EQ(stack(one, one).raw(), one.raw());
  EXPECT_EQ(stack(one, one).shape(), one.shape());
}

TEST_F(Stack, KeepsTheDtype) {
  std::vector<BFloat16> narrow(8);
  const TensorView a(narrow.data(), DType::bf16, {1, 4});
  const TensorView b(narrow.data() + 4, DType::bf16, {1, 4});
  EXPECT_EQ(stack(a, b).dtype(), DType::bf16);
  EXPECT_EQ(stack(a, b).shape(), (Shape{2, 4}));
}

TEST_F(Stack, RefusesWhatDoesNotFollow) {
  EXPECT_THROW(stack(rows(2, 1), rows(0, 1)), InternalError);
  const TensorView wide(values.data() + 6, DType::f32, {1, 6});
  EXPECT_THROW(stack(rows(0, 2), wide), InternalError);
  const TensorView strided(values.data() + 3, DType::f32, {2, 2}, 3);
  EXPECT_THROW(stack(strided, strided), InternalError);
  // Inside the first: fewer rows than that has.
  EXPECT_THROW(stack(rows(0, 3), rows(1, 1)), InternalError);
}

class Recording final : public ParameterSource {
 public:
  void announce(Unit unit) override { calls += "n" + std::to_string(unit); }
  void acquire(Unit unit) override { calls += "a" + std::to_string(unit); }
  void release(Unit unit) override { calls += "r" + std::to_string(unit); }
  ConstTensorView get(ParameterId) override { return {}; }

  std::string calls;
};

TEST(AcquiredUnit, IsReleasedWithItsScope) {
  Recording source;
  {
    const AcquiredUnit outer(source, 3);
    { const AcquiredUnit inner(source, 0); }
    source.announce(4);
  }
  EXPECT_EQ(source.calls, "a3a0r0n4r3");
}

TEST(AcquiredUnit, IsReleasedWhenSomethingIsThrown) {
  Recording source;
  const auto fail = [&] {
    const AcquiredUnit unit(source, 2);
    throw std::runtime_error("out of the scope");
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_EQ(source.calls, "a2r2");
}

}  // namespace
}  // namespace hone
