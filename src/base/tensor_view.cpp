#include "base/tensor_view.h"

#include "base/error.h"

namespace hone::detail {

void assert_dtype(DType held, DType asked) {
  HONE_ASSERT(held == asked, name(held), name(asked));
}

void assert_rows(std::int64_t first, std::int64_t count, std::int64_t rows) {
  HONE_ASSERT(first >= 0 && count >= 0 && first <= rows - count, first, count, rows);
}

void assert_columns(std::int64_t first, std::int64_t count, const Shape& shape) {
  HONE_ASSERT(shape.rank() == 2, shape.to_text());
  HONE_ASSERT(first >= 0 && count >= 0 && first <= shape[1] - count, first, count, shape.to_text());
}

void assert_reshape(const Shape& from, const Shape& to, bool contiguous) {
  HONE_ASSERT(from.elements() == to.elements(), from.to_text(), to.to_text());
  HONE_ASSERT(contiguous || (to.rank() >= 1 && from.rank() >= 1 && from[0] == to[0]),
              from.to_text(), to.to_text());
}

}  // namespace hone::detail
