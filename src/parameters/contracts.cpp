#include "parameters/contracts.h"

#include "base/error.h"

namespace hone {

template <class View>
View stack(const View& first, const View& last) {
  HONE_ASSERT(first.contiguous() && last.contiguous() && first.columns() == last.columns());
  const auto* begin = static_cast<const std::byte*>(first.raw());
  const auto* end = static_cast<const std::byte*>(last.raw()) + last.bytes();
  const std::size_t row_bytes =
      static_cast<std::size_t>(first.columns()) * size_bytes(first.dtype());
  const auto rows = static_cast<std::int64_t>(static_cast<std::size_t>(end - begin) / row_bytes);
  HONE_ASSERT(end > begin && rows >= first.rows(), rows, first.rows(), last.rows());
  return View(first.raw(), first.dtype(), {rows, first.columns()});
}

template TensorView stack(const TensorView& first, const TensorView& last);
template ConstTensorView stack(const ConstTensorView& first, const ConstTensorView& last);

}  // namespace hone
