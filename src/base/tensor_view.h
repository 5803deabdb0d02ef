// Views of tensors that someone else owns: pointer, dtype, shape, row stride.
//
// A view is a matrix of rows: the first extent counts rows, the others lie contiguous inside a row,
// and consecutive rows are row_stride elements apart. A view of rank 1 is one contiguous row of
// elements (its row stride is 1). Views are copied freely and own nothing; an empty view (no data,
// rank 0) stands for an operand that is not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/dtype.h"
#include "base/shape.h"

namespace hone {

namespace detail {
template <class T>
struct DTypeOf;
void assert_dtype(DType held, DType asked);
void assert_rows(std::int64_t first, std::int64_t count, std::int64_t rows);
void assert_columns(std::int64_t first, std::int64_t count, const Shape& shape);
void assert_reshape(const Shape& from, const Shape& to, bool contiguous);
}  // namespace detail

// The view itself; Byte is `std::byte` or `const std::byte`.
template <class Byte>
class BasicTensorView {
 public:
  static constexpr bool kConst = std::is_const_v<Byte>;
  template <class T>
  using Element = std::conditional_t<kConst, const T, T>;
  using Pointer = std::conditional_t<kConst, const void*, void*>;

  BasicTensorView() = default;

  // A contiguous view.
  BasicTensorView(Pointer data, DType dtype, const Shape& shape)
      : BasicTensorView(data, dtype, shape, shape.rank() <= 1 ? 1 : shape.columns()) {}

  BasicTensorView(Pointer data, DType dtype, const Shape& shape, std::int64_t row_stride)
      : data_(static_cast<Byte*>(data)), dtype_(dtype), shape_(shape), row_stride_(row_stride) {}

  // A writable view is a readable one.
  template <class Other, class = std::enable_if_t<kConst && !std::is_const_v<Other>>>
  BasicTensorView(const BasicTensorView<Other>& other)
      : BasicTensorView(other.raw(), other.dtype(), other.shape(), other.row_stride()) {}

  bool present() const { return data_ != nullptr; }
  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::int64_t row_stride() const { return row_stride_; }
  std::int64_t rows() const { return shape_.rank() == 0 ? 0 : shape_[0]; }
  std::int64_t columns() const { return shape_.columns(); }
  std::int64_t elements() const { return shape_.elements(); }
  bool contiguous() const {
    return shape_.rank() <= 1 ? row_stride_ == 1 : rows() <= 1 || row_stride_ == columns();
  }
  std::size_t bytes() const { return static_cast<std::size_t>(elements()) * size_bytes(dtype_); }
  Pointer raw() const { return data_; }

  // The elements as T; T must be the view's dtype.
  template <class T>
  Element<T>* data() const {
    detail::assert_dtype(dtype_, detail::DTypeOf<T>::value);
    return reinterpret_cast<Element<T>*>(data_);
  }

  template <class T>
  Element<T>* row(std::int64_t index) const {
    return data<T>() + index * row_stride_;
  }

  // Rows [first, first + count).
  BasicTensorView slice(std::int64_t first, std::int64_t count) const;

  // Columns [first, first + count) of a matrix; row stride stays.
  BasicTensorView slice_columns(std::int64_t first, std::int64_t count) const;

  // The same elements under other extents. A strided view may only split or join the extents inside
  // a row; a contiguous one takes any shape of as many elements.
  BasicTensorView reshape(const Shape& shape) const;

 private:
  Byte* data_ = nullptr;
  DType dtype_ = DType::f32;
  Shape shape_;
  std::int64_t row_stride_ = 1;
};

using TensorView = BasicTensorView<std::byte>;
using ConstTensorView = BasicTensorView<const std::byte>;

template <class Byte>
BasicTensorView<Byte> BasicTensorView<Byte>::slice(std::int64_t first, std::int64_t count) const {
  detail::assert_rows(first, count, rows());
  Shape shape;
  switch (shape_.rank()) {
    case 1:
      shape = {count};
      break;
    case 2:
      shape = {count, shape_[1]};
      break;
    case 3:
      shape = {count, shape_[1], shape_[2]};
      break;
    default:
      shape = {count, shape_[1], shape_[2], shape_[3]};
      break;
  }
  const std::size_t offset = static_cast<std::size_t>(first * row_stride_) * size_bytes(dtype_);
  return BasicTensorView(data_ + offset, dtype_, shape, row_stride_);
}

template <class Byte>
BasicTensorView<Byte> BasicTensorView<Byte>::slice_columns(std::int64_t first,
                                                           std::int64_t count) const {
  detail::assert_columns(first, count, shape_);
  const std::size_t offset = static_cast<std::size_t>(first) * size_bytes(dtype_);
  return BasicTensorView(data_ + offset, dtype_, {rows(), count}, row_stride_);
}

template <class Byte>
BasicTensorView<Byte> BasicTensorView<Byte>::reshape(const Shape& shape) const {
  detail::assert_reshape(shape_, shape, contiguous());
  if (contiguous()) return BasicTensorView(data_, dtype_, shape);
  return BasicTensorView(data_, dtype_, shape, row_stride_);
}

}  // namespace hone

#include "base/tensor_view_types.h"
