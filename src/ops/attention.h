// Causal attention over packed sequences of different lengths, with grouped key/value heads.
//
// Sequence s owns query rows [query_starts[s], query_starts[s + 1]) and key/value rows
// [key_starts[s], key_starts[s] + key_lengths[s]). Its query i sees keys j <= p and, with a sliding
// window, j > p - window, where p = key_lengths[s] - query_count + i. So training (as many keys as
// queries), prompt reading and decoding (one query at the end of a cache) are one operation.
//
//   out = softmax(scale * q k^T) v,   query head h uses key/value head h / (H / K)
//
// Nothing of size T x T is kept: forward saves the log-sum-exp of each row's scores
// (Dao et al., "FlashAttention", 2022, for the tiling).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

// Where the sequences lie; shared by forward and backward.
struct AttentionLayout {
  std::span<const std::int32_t> query_starts;  // [S + 1], ascending, from 0 to T
  std::span<const std::int32_t> key_starts;    // [S]: first key row of each sequence
  std::span<const std::int32_t> key_lengths;   // [S]: at least the sequence's query count
  std::int64_t window = 0;                     // keys a query sees, itself included; 0: all
  double scale = 1.0;
};

struct AttentionForward {
  static constexpr std::string_view kName = "attention_forward";
  static constexpr auto kSlot = &OpTable::attention_forward;

  AttentionLayout layout;
  ConstTensorView q;       // [T, H, E]
  ConstTensorView k;       // [rows, K, E]
  ConstTensorView v;       // [rows, K, E]
  TensorView out;          // [T, H, E]; assigned
  TensorView log_sum_exp;  // [T, H]; assigned; of scale * q k^T over the keys seen
};

struct AttentionBackward {
  static constexpr std::string_view kName = "attention_backward";
  static constexpr auto kSlot = &OpTable::attention_backward;

  AttentionLayout layout;  // with key_starts == query_starts and as many keys as queries
  ConstTensorView d_out;   // [T, H, E]
  ConstTensorView q, k, v, out;
  ConstTensorView log_sum_exp;
  TensorView d_q;  // [T, H, E]; assigned
  TensorView d_k;  // [T, K, E]; assigned
  TensorView d_v;  // [T, K, E]; assigned
};

void check(const AttentionForward& op);
void check(const AttentionBackward& op);
Cost cost(const AttentionForward& op);
Cost cost(const AttentionBackward& op);

}  // namespace hone::ops
