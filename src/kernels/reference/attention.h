#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/reference/elements.h"
#include "ops/attention.h"

namespace hone::kernels::reference {

// One query row of one head: its key rows are [first_key, last_key].
struct QueryRow {
  std::int64_t row, head, kv_head, first_key, last_key;
};

template <class Visit>
void for_each_query(const ops::AttentionLayout& layout, std::int64_t heads, std::int64_t kv_heads,
                    const Visit& visit) {
  for (std::size_t s = 0; s < layout.key_starts.size(); ++s) {
    const std::int64_t queries = layout.query_starts[s + 1] - layout.query_starts[s];
    for (std::int64_t i = 0; i < queries; ++i) {
      const std::int64_t position = layout.key_lengths[s] - queries + i;
      const std::int64_t first =
          layout.window > 0 ? std::max<std::int64_t>(0, position - layout.window + 1) : 0;
      for (std::int64_t h = 0; h < heads; ++h) {
        visit(QueryRow{layout.query_starts[s] + i, h, h / (heads / kv_heads),
                       layout.key_starts[s] + first, layout.key_starts[s] + position});
      }
    }
  }
}

template <class T>
T score(const ops::AttentionLayout& layout, const ConstTensorView& q, const ConstTensorView& k,
        const QueryRow& query, std::int64_t key) {
  const std::int64_t width = q.shape()[2];
  T sum(0.0);
  for (std::int64_t e = 0; e < width; ++e) {
    sum +=
        load<T>(q, query.row, query.head * width + e) * load<T>(k, key, query.kv_head * width + e);
  }
  return sum * layout.scale;
}

template <class T>
void reference(const ops::AttentionForward& op) {
  const std::int64_t width = op.q.shape()[2];
  for_each_query(op.layout, op.q.shape()[1], op.k.shape()[1], [&](const QueryRow& query) {
    std::vector<T> weights;
    double largest = -INFINITY;
    for (std::int64_t key = query.first_key; key <= query.last_key; ++key) {
      weights.push_back(score<T>(op.layout, op.q, op.k, query, key));
      largest = std::max(largest, real_part(weights.back()));
    }
    T sum(0.0);
    for (T& weight : weights) {
      weight = std::exp(weight - largest);
      sum += weight;
    }
    store(op.log_sum_exp, query.row, query.head, std::log(sum) + largest);
    for (std::int64_t e = 0; e < width; ++e) {
      T value(0.0);
      for (std::size_t j = 0; j < weights.size(); ++j) {
        value += weights[j] * load<T>(op.v, query.first_key + static_cast<std::int64_t>(j),
                                      query.kv_head * width + e);
      }
      store(op.out, query.row, query.head * width + e, value / sum);
    }
  });
}

template <class T>
void zero(const TensorView& view) {
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    for (std::int64_t column = 0; column < view.columns(); ++column) {
      store(view, row, column, T(0.0));
    }
  }
}

template <class T>
void reference(const ops::AttentionBackward& op) {
  const std::int64_t width = op.q.shape()[2];
  zero<T>(op.d_q);
  zero<T>(op.d_k);
  zero<T>(op.d_v);
  for_each_query(op.layout, op.q.shape()[1], op.k.shape()[1], [&](const QueryRow& query) {
    const std::int64_t q_column = query.head * width;
    const std::int64_t kv_column = query.kv_head * width;
    T delta(0.0);  // sum of d_out * out
    for (std::int64_t e = 0; e < width; ++e) {
      delta +=
          load<T>(op.d_out, query.row, q_column + e) * load<T>(op.out, query.row, q_column + e);
    }
    const T log_sum_exp = load<T>(op.log_sum_exp, query.row, query.head);
    for (std::int64_t key = query.first_key; key <= query.last_key; ++key) {
      const T p = std::exp(score<T>(op.layout, op.q, op.k, query, key) - log_sum_exp);
      T d_p(0.0);
      for (std::int64_t e = 0; e < width; ++e) {
        const T d_out = load<T>(op.d_out, query.row, q_column + e);
        d_p += d_out * load<T>(op.v, key, kv_column + e);
        put(op.d_v, key, kv_column + e, p * d_out, true);
      }
      const T d_score = p * (d_p - delta) * op.layout.scale;
      for (std::int64_t e = 0; e < width; ++e) {
        put(op.d_q, query.row, q_column + e, d_score * load<T>(op.k, key, kv_column + e), true);
        put(op.d_k, key, kv_column + e, d_score * load<T>(op.q, query.row, q_column + e), true);
      }
    }
  });
}

inline DType number_dtype(const ops::AttentionForward& op) {
  return op.out.dtype();
}
inline DType number_dtype(const ops::AttentionBackward& op) {
  return op.d_q.dtype();
}

}  // namespace hone::kernels::reference
