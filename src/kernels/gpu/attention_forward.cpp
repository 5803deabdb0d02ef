#include <cfloat>
#include <cmath>

#include "kernels/gpu/attention_tile.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

// A block makes the output of one tile of queries of one head, with the running maximum and sum of
// Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.
template <int kWidth>
struct AttentionForwardKernel {
  static constexpr std::string_view kName = "attention_forward";
  using Tile = AttentionTile<kWidth>;
  static constexpr int kRows = Tile::kRows;
  static constexpr int kStride = Tile::kStride;
  struct Shared {
    typename Tile::Rows q;
    typename Tile::Rows keys;  // then values
    typename Tile::Rows out;
    typename Tile::Pairs p;
    typename Tile::Statistic largest, sums, factors;
  };
  DeviceLayout layout;
  Operand<const float> q, k, v;
  Operand<float> out, log_sum_exp;
  std::int64_t heads;
  std::int64_t group;  // query heads of a key head
  int width;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const std::int64_t head = t.block() % heads;
    const SequenceTile tile = find_tile(t, layout, t.block() / heads, kRows);
    const int count = smaller(kRows, tile.queries - tile.first);
    const std::int64_t kv_column = head / group * width;
    fetch_rows<kWidth>(t, q, tile.query_row + tile.first, count, head * width, width, shared.q);
    clear_rows<kWidth>(t, shared.out);
    if (t.index() < kRows) {
      shared.largest[t.index()] = -FLT_MAX;
      shared.sums[t.index()] = 0.0f;
    }
    const std::int64_t end = tile.last_key(tile.first + count - 1) + 1;
    for (std::int64_t key = tile.first_key(tile.first); key < end; key += kRows) {
      const int keys = smaller(kRows, end - key);
      t.barrier();
      fetch_rows<kWidth>(t, k, tile.key_row + key, keys, kv_column, width, shared.keys);
      t.barrier();
      for (int e = t.index(); e < count * keys; e += t.threads()) {
        const int i = e / keys, j = e % keys;
        shared.p[i * kRows + j] =
            layout.scale * dot_rows<kWidth>(shared.q, i, shared.keys, j, width);
      }
      t.barrier();
      fetch_rows<kWidth>(t, v, tile.key_row + key, keys, kv_column, width, shared.keys);
      if (t.index() < count) weigh(shared, tile, t.index(), key, keys);
      t.barrier();
      for (int e = t.index(); e < count * width; e += t.threads()) {
        add_values(shared, tile, e / width, e % width, key, keys);
      }
    }
    t.barrier();
    for (int e = t.index(); e < count * width; e += t.threads()) {
      const int i = e / width, c = e % width;
      store(t, out, tile.query_row + tile.first + i, head * width + c,
            shared.out[i * kStride + c] / shared.sums[i]);
    }
    if (t.index() >= count) return;
    store(t, log_sum_exp, tile.query_row + tile.first + t.index(), head,
          shared.largest[t.index()] + logf(shared.sums[t.index()]));
  }

  // Which of the tile's keys row i sees: [from, to).
  GPU_DEVICE static int from(const SequenceTile& tile, int i, std::int64_t key) {
    return static_cast<int>(larger(0, tile.first_key(tile.first + i) - key));
  }
  GPU_DEVICE static int to(const SequenceTile& tile, int i, std::int64_t key, int keys) {
    return smaller(keys, tile.last_key(tile.first + i) - key + 1);
  }

  GPU_DEVICE static void weigh(Shared& shared, const SequenceTile& tile, int i, std::int64_t key,
                               int keys) {
    const int first = from(tile, i, key), last = to(tile, i, key, keys);
    const float before = shared.largest[i];
    float largest = before;
    for (int j = first; j < last; ++j) {
      const float score = shared.p[i * kRows + j];
      largest = score > largest ? score : largest;
    }
    const float factor = expf(before - largest);
    float sum = shared.sums[i] * factor;
    for (int j = first; j < last; ++j) {
      const float p = expf(shared.p[i * kRows + j] - largest);
      shared.p[i * kRows + j] = p;
      sum += p;
    }
    shared.largest[i] = largest;
    shared.sums[i] = sum;
    shared.factors[i] = factor;
  }

  GPU_DEVICE static void add_values(Shared& shared, const SequenceTile& tile, int i, int c,
                                    std::int64_t key, int keys) {
    const int last = to(tile, i, key, keys);
    float sum = shared.out[i * kStride + c] * shared.factors[i];
    for (int j = from(tile, i, key); j < last; ++j) {
      sum += shared.p[i * kRows + j] * shared.keys[j * kStride + c];
    }
    shared.out[i * kStride + c] = sum;
  }
};

std::size_t layout_bytes(const ops::AttentionLayout& layout) {
  const auto sequences = static_cast<std::int64_t>(layout.key_starts.size());
  return space_bytes<std::int32_t>(sequences + 1) + 2 * space_bytes<std::int32_t>(sequences);
}

DeviceLayout on_device(Launcher& launcher, const ops::AttentionLayout& layout) {
  return {launcher.copied(layout.query_starts, "query_starts"),
          launcher.copied(layout.key_starts, "key_starts"),
          launcher.copied(layout.key_lengths, "key_lengths"),
          static_cast<std::int64_t>(layout.key_starts.size()),
          layout.window,
          static_cast<float>(layout.scale)};
}

std::int64_t tiles_of(const ops::AttentionLayout& layout, std::int64_t rows) {
  std::int64_t tiles = 0;
  for (std::size_t s = 0; s < layout.key_starts.size(); ++s) {
    tiles += parts_of(layout.query_starts[s + 1] - layout.query_starts[s], rows);
  }
  return tiles;
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::AttentionForward& op) {
  return layout_bytes(op.layout);
}

void run(ops::OpContext& context, const ops::AttentionForward& op) {
  Launcher launcher(context, op.kName);
  const DeviceLayout layout = on_device(launcher, op.layout);
  const std::int64_t heads = op.q.shape()[1];
  const std::int64_t width = op.q.shape()[2];
  with_head_width(width, [&]<int kWidth>() {
    launcher.launch(tiles_of(op.layout, AttentionTile<kWidth>::kRows) * heads,
                    launcher.card().block_threads,
                    AttentionForwardKernel<kWidth>{
                        layout, launcher.reads<float>(op.q, "q"), launcher.reads<float>(op.k, "k"),
                        launcher.reads<float>(op.v, "v"), launcher.writes<float>(op.out, "out"),
                        launcher.writes<float>(op.log_sum_exp, "log_sum_exp"), heads,
                        heads / op.k.shape()[1], static_cast<int>(width)});
  });
}

}  // namespace hone::kernels::gpu
