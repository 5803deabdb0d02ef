// How attention is cut into tiles, for forward and backward alike.
//
// The query heads that share a key/value head are stacked: of a sequence and a key/value head, the
// queries are counted p = query * group + head in group, and a tile is kQueryTile consecutive p.
// So grouped heads read each key once, and decoding one query still fills vectors. Keys go by in
// tiles of kKeyTile, from multiples of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/attention.h"

namespace hone::kernels::cpu {

constexpr std::int64_t kQueryTile = 64;
constexpr std::int64_t kKeyTile = 32;
// Rows of tiles in scratch are padded to a multiple of the widest vector.
constexpr std::int64_t kWidthPadding = 16;

inline std::int64_t padded_width(std::int64_t width) {
  return (width + kWidthPadding - 1) / kWidthPadding * kWidthPadding;
}

// One sequence under one key/value head.
struct AttentionSpan {
  std::int64_t query_row, queries, key_row, keys, window, group;

  std::int64_t packed() const { return queries * group; }
  std::int64_t tiles() const { return (packed() + kQueryTile - 1) / kQueryTile; }
  // Last and first key that packed query p sees.
  std::int64_t last_key(std::int64_t p) const { return keys - queries + p / group; }
  std::int64_t first_key(std::int64_t p) const {
    return window > 0 ? std::max<std::int64_t>(0, last_key(p) - window + 1) : 0;
  }
};

AttentionSpan span_of(const ops::AttentionLayout& layout, std::int64_t sequence,
                      std::int64_t group);

struct QueryTile {
  AttentionSpan span;
  std::int64_t kv_head;
  std::int64_t first, count;  // packed queries

  std::int64_t first_key() const { return span.first_key(first) / kKeyTile * kKeyTile; }
  std::int64_t last_key() const { return span.last_key(first + count - 1); }
};

QueryTile query_tile(const AttentionSpan& span, std::int64_t kv_head, std::int64_t index);

// The sequences that have queries, those with most work first.
class SequenceOrder {
 public:
  // `space` has room for as many as there are query rows.
  SequenceOrder(const ops::AttentionLayout& layout, std::int32_t* space);

  std::int64_t count() const { return count_; }
  std::int64_t operator[](std::int64_t i) const { return order_[i]; }

 private:
  std::int32_t* order_;
  std::int64_t count_ = 0;
};

}  // namespace hone::kernels::cpu
