// Embedding lookup: out[t] = table[tokens[t]].
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ops/op_context.h"

namespace hone::ops {

struct EmbeddingForward {
  static constexpr std::string_view kName = "embedding_forward";
  static constexpr auto kSlot = &OpTable::embedding_forward;

  std::span<const std::int32_t> tokens;  // [T], each in [0, V)
  ConstTensorView table;                 // [V, D]; a weight dtype
  TensorView out;                        // [T, D]; assigned
};

// d_table[v] += sum over t with tokens[t] == v of d_out[t], in the order of t.
struct EmbeddingBackward {
  static constexpr std::string_view kName = "embedding_backward";
  static constexpr auto kSlot = &OpTable::embedding_backward;

  std::span<const std::int32_t> tokens;          // [T]
  std::span<const std::int32_t> order_by_token;  // [T]: t sorted by tokens[t], stable
  ConstTensorView d_out;                         // [T, D]
  TensorView d_table;                            // [V, D]; accumulated
};

void check(const EmbeddingForward& op);
void check(const EmbeddingBackward& op);
Cost cost(const EmbeddingForward& op);
Cost cost(const EmbeddingBackward& op);

}  // namespace hone::ops
