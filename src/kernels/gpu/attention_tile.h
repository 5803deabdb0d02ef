// What the attention kernels share: tiles of rows in the local data share, and which keys a query
// sees. Vector code, for cards and shapes without matrix instructions.
//
// Tiles have kRows rows of queries or keys. A sum over columns is done by one thread in rising
// order; masked pairs are left out of every sum, not multiplied by zero, so that what a query may
// not see cannot reach it even as a NaN.
#pragma once

#include "kernels/gpu/elements.h"
#include "kernels/gpu/launcher.h"
#include "ops/attention.h"

namespace hone::kernels::gpu {

// Wide heads get fewer rows: six tiles fit into 64 KiB either way.
template <int kWidth>
struct AttentionTile {
  static constexpr int kRows = kWidth <= 128 ? 16 : 8;
  static constexpr int kStride = kWidth + 1;  // a column of a tile lies in a bank of its own
  using Rows = SharedArray<float, kRows * kStride>;
  using Pairs = SharedArray<float, kRows * kRows>;
  using Statistic = SharedArray<float, kRows>;
};

// The layout on the device. Rows are counted in 32 bits, as the layout's own arrays do.
struct DeviceLayout {
  Operand<const std::int32_t> query_starts;
  Operand<const std::int32_t> key_starts;
  Operand<const std::int32_t> key_lengths;
  std::int32_t sequences;
  std::int32_t window;
  float scale;
};

// A tile of queries (or, in the keys' backward, of keys) of one sequence.
struct SequenceTile {
  std::int32_t query_row;  // row of the sequence's first query
  std::int32_t key_row;    // row of its first key
  std::int32_t queries;
  std::int32_t keys;
  std::int32_t first;  // of the tile, within the sequence
  std::int32_t window;

  // Keys [first_key, last_key] are what query i of the sequence sees.
  GPU_DEVICE std::int32_t last_key(std::int32_t i) const { return keys - queries + i; }
  GPU_DEVICE std::int32_t first_key(std::int32_t i) const {
    const std::int32_t first_seen = last_key(i) - window + 1;
    return window > 0 && first_seen > 0 ? first_seen : 0;
  }
};

// The tile-th tile of `rows` rows, counted through all sequences, each of which has `rows_a_query`
// rows for every query.
GPU_DEVICE SequenceTile find_tile(const Thread& t, const DeviceLayout& layout, std::int32_t tile,
                                  int rows, std::int32_t rows_a_query) {
  SequenceTile found = {};
  found.window = layout.window;
  for (std::int32_t s = 0; s < layout.sequences; ++s) {
    found.query_row = load(t, layout.query_starts, s);
    found.queries = load(t, layout.query_starts, s + 1) - found.query_row;
    const std::int32_t tiles = (found.queries * rows_a_query + rows - 1) / rows;
    if (tile < tiles) {
      found.key_row = load(t, layout.key_starts, s);
      found.keys = load(t, layout.key_lengths, s);
      found.first = tile * rows;
      break;
    }
    tile -= tiles;
  }
  return found;
}

// Rows [row, row + count) of a head into a tile.
template <int kWidth, class T>
GPU_DEVICE void fetch_rows(const Thread& t, const Operand<const T>& from, int row, int count,
                           int first_column, int width, typename AttentionTile<kWidth>::Rows& to) {
  for (int e = t.index(); e < count * width; e += t.threads()) {
    const int i = e / width, c = e % width;
    to[i * AttentionTile<kWidth>::kStride + c] = widen(load(t, from, row + i, first_column + c));
  }
}

template <int kWidth>
GPU_DEVICE void put_rows(const Thread& t, const Operand<float>& to, int row, int count,
                         int first_column, int width, typename AttentionTile<kWidth>::Rows& from) {
  for (int e = t.index(); e < count * width; e += t.threads()) {
    const int i = e / width, c = e % width;
    store(t, to, row + i, first_column + c, from[i * AttentionTile<kWidth>::kStride + c]);
  }
}

template <int kWidth>
GPU_DEVICE void clear_rows(const Thread& t, typename AttentionTile<kWidth>::Rows& rows) {
  using Tile = AttentionTile<kWidth>;
  for (int e = t.index(); e < Tile::kRows * Tile::kStride; e += t.threads()) rows[e] = 0.0f;
}

// Row i of one tile times row j of another.
template <int kWidth>
GPU_DEVICE float dot_rows(typename AttentionTile<kWidth>::Rows& a, int i,
                          typename AttentionTile<kWidth>::Rows& b, int j, int width) {
  constexpr int kStride = AttentionTile<kWidth>::kStride;
  float sum = 0.0f;
  for (int c = 0; c < width; ++c) sum += a[i * kStride + c] * b[j * kStride + c];
  return sum;
}

constexpr int smaller(int a, int b) {
  return a < b ? a : b;
}
constexpr int larger(int a, int b) {
  return a > b ? a : b;
}

// visit.template operator()<kWidth>() with the smallest tile width that holds a head.
template <class Visit>
void with_head_width(std::int64_t width, const Visit& visit) {
  if (width <= 64) return visit.template operator()<64>();
  if (width <= 128) return visit.template operator()<128>();
  HONE_ASSERT(width <= 256, width);
  visit.template operator()<256>();
}

// Working space of an operation's layout, and the layout on the device.
std::size_t layout_bytes(const ops::AttentionLayout& layout);
DeviceLayout on_device(Launcher& launcher, const ops::AttentionLayout& layout);
// Tiles of `rows` rows in all sequences, as find_tile() counts them.
std::int64_t tiles_of(const ops::AttentionLayout& layout, std::int64_t rows,
                      std::int64_t rows_a_query);

}  // namespace hone::kernels::gpu
