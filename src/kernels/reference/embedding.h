#pragma once

#include "kernels/reference/elements.h"
#include "ops/embedding.h"

namespace hone::kernels::reference {

template <class T>
void reference(const ops::EmbeddingForward& op) {
  for (std::size_t t = 0; t < op.tokens.size(); ++t) {
    const auto row = static_cast<std::int64_t>(t);
    for (std::int64_t d = 0; d < op.out.columns(); ++d) {
      store(op.out, row, d, load<T>(op.table, op.tokens[t], d));
    }
  }
}

template <class T>
void reference(const ops::EmbeddingBackward& op) {
  for (const std::int32_t t : op.order_by_token) {
    const std::int32_t token = op.tokens[static_cast<std::size_t>(t)];
    for (std::int64_t d = 0; d < op.d_out.columns(); ++d) {
      put(op.d_table, token, d, load<T>(op.d_out, t, d), true);
    }
  }
}

inline DType number_dtype(const ops::EmbeddingForward& op) {
  return op.out.dtype();
}
inline DType number_dtype(const ops::EmbeddingBackward& op) {
  return op.d_table.dtype();
}

}  // namespace hone::kernels::reference
