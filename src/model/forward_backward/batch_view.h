// The micro-step that a pass works on, as the model sees it: index arrays in the device's memory.
#pragma once

#include <cstdint>
#include <span>

namespace hone::model {

struct BatchView {
  std::span<const std::int32_t> tokens;          // [T]
  std::span<const std::int32_t> positions;       // [T]
  std::span<const std::int32_t> query_starts;    // [S + 1]
  std::span<const std::int32_t> query_lengths;   // [S]
  std::span<const std::int32_t> order_by_token;  // [T]: t sorted by token, stable; for training
  std::span<const std::int32_t> label_rows;      // [L]
  std::span<const std::int32_t> labels;          // [L]
  std::span<const float> label_weights;          // [L]
  std::span<const std::uint64_t> dropout_keys;   // [T], or empty: nothing is dropped

  std::int64_t token_count() const { return static_cast<std::int64_t>(tokens.size()); }
  std::int64_t label_count() const { return static_cast<std::int64_t>(label_rows.size()); }
  std::int64_t sequence_count() const { return static_cast<std::int64_t>(query_lengths.size()); }
  // First key row of each sequence: as its first query row, for a pass without a cache.
  std::span<const std::int32_t> starts() const { return query_starts.first(query_lengths.size()); }
};

}  // namespace hone::model
