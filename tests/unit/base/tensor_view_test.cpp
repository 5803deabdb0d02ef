#include "base/tensor_view.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"

namespace hone {
namespace {

TEST(TensorView, SlicesRowsAndColumns) {
  std::vector<float> values(12);
  for (int i = 0; i < 12; ++i) values[static_cast<std::size_t>(i)] = static_cast<float>(i);
  const TensorView matrix(values.data(), DType::f32, {3, 4});
  EXPECT_EQ(matrix.slice(1, 2).row<float>(0)[0], 4.0f);
  const TensorView columns = matrix.slice_columns(1, 2);
  EXPECT_EQ(columns.row_stride(), 4);
  EXPECT_EQ(columns.row<float>(2)[1], 10.0f);
  EXPECT_FALSE(columns.contiguous());
  const TensorView heads = columns.reshape({3, 2, 1});
  EXPECT_EQ(heads.row<float>(1)[1], 6.0f);
}

TEST(TensorView, RefusesWhatDoesNotFit) {
  std::vector<float> values(12);
  const TensorView matrix(values.data(), DType::f32, {3, 4});
  EXPECT_THROW(matrix.slice(2, 2), InternalError);
  EXPECT_THROW(matrix.slice_columns(3, 2), InternalError);
  EXPECT_THROW(matrix.reshape({5, 2}), InternalError);
  EXPECT_THROW(matrix.data<double>(), InternalError);
  EXPECT_THROW(matrix.slice_columns(0, 2).reshape({6}), InternalError);
}

TEST(TensorView, AnEmptyViewIsNotPresent) {
  const ConstTensorView none;
  EXPECT_FALSE(none.present());
  EXPECT_EQ(none.rows(), 0);
}

}  // namespace
}  // namespace hone
