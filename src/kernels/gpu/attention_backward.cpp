// Three launches: sum of d_out * out of each row; the queries' gradient, a block for each tile of
// queries; the keys' and values' gradients, a block for each tile of keys, over all heads of its
// group in order. Probabilities are remade in both: cheaper than adding across blocks.
#include <cmath>

#include "kernels/gpu/attention_tile.h"
#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

struct AttentionDeltaKernel {
  static constexpr std::string_view kName = "attention_delta";
  using Shared = NoShared;
  Operand<const float> d_out, out;
  Operand<float> delta;  // [T, H]
  std::int32_t width;
  RowCut cut;  // a column for each head

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), head = cut.column(t);
    if (head >= cut.columns) return;
    float sum = 0.0f;
    for (std::int64_t c = head * width; c < (head + 1) * width; ++c) {
      sum += load(t, d_out, row, c) * load(t, out, row, c);
    }
    store(t, delta, row, head, sum);
  }
};

struct AttentionGradientOperands {
  DeviceLayout layout;
  Operand<const float> d_out, q, k, v, log_sum_exp, delta;
  std::int32_t heads;
  std::int32_t group;
  int width;
};

// Probability and score's gradient of one pair of rows in tiles.
template <int kWidth>
struct PairGradient {
  using Rows = typename AttentionTile<kWidth>::Rows;
  float p, d_score;

  GPU_DEVICE PairGradient(const AttentionGradientOperands& o, Rows& q, Rows& d_out, int i, Rows& k,
                          Rows& v, int j, float log_sum_exp, float delta)
      : p(expf(o.layout.scale * dot_rows<kWidth>(q, i, k, j, o.width) - log_sum_exp)),
        d_score(p * (dot_rows<kWidth>(d_out, i, v, j, o.width) - delta) * o.layout.scale) {}
};

template <int kWidth>
struct QueryGradientKernel {
  static constexpr std::string_view kName = "attention_query_gradient";
  using Tile = AttentionTile<kWidth>;
  static constexpr int kRows = Tile::kRows;
  static constexpr int kStride = Tile::kStride;
  struct Shared {
    typename Tile::Rows q, d_out, k, v, d_q;
    typename Tile::Pairs d_scores;
    typename Tile::Statistic log_sum_exp, delta;
  };
  AttentionGradientOperands o;
  Operand<float> d_q;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const auto block = static_cast<std::int32_t>(t.block());
    const std::int32_t head = block % o.heads;
    const SequenceTile tile = find_tile(t, o.layout, block / o.heads, kRows, 1);
    const int count = smaller(kRows, tile.queries - tile.first);
    const std::int32_t row = tile.query_row + tile.first;
    const std::int32_t kv_column = head / o.group * o.width;
    fetch_rows<kWidth>(t, o.q, row, count, head * o.width, o.width, shared.q);
    fetch_rows<kWidth>(t, o.d_out, row, count, head * o.width, o.width, shared.d_out);
    clear_rows<kWidth>(t, shared.d_q);
    if (t.index() < count) {
      shared.log_sum_exp[t.index()] = load(t, o.log_sum_exp, row + t.index(), head);
      shared.delta[t.index()] = load(t, o.delta, row + t.index(), head);
    }
    const std::int32_t end = tile.last_key(tile.first + count - 1) + 1;
    for (std::int32_t key = tile.first_key(tile.first); key < end; key += kRows) {
      const int keys = smaller(kRows, end - key);
      t.barrier();
      fetch_rows<kWidth>(t, o.k, tile.key_row + key, keys, kv_column, o.width, shared.k);
      fetch_rows<kWidth>(t, o.v, tile.key_row + key, keys, kv_column, o.width, shared.v);
      t.barrier();
      for (int e = t.index(); e < count * keys; e += t.threads()) {
        const int i = e / keys, j = e % keys;
        const PairGradient<kWidth> pair(o, shared.q, shared.d_out, i, shared.k, shared.v, j,
                                        shared.log_sum_exp[i], shared.delta[i]);
        shared.d_scores[i * kRows + j] = pair.d_score;
      }
      t.barrier();
      for (int e = t.index(); e < count * o.width; e += t.threads()) {
        add_keys(shared, tile, e / o.width, e % o.width, key, keys);
      }
    }
    t.barrier();
    put_rows<kWidth>(t, d_q, row, count, head * o.width, o.width, shared.d_q);
  }

  GPU_DEVICE static void add_keys(Shared& shared, const SequenceTile& tile, int i, int c,
                                  std::int32_t key, int keys) {
    const std::int32_t query = tile.first + i;
    const int last = smaller(keys, tile.last_key(query) - key + 1);
    float sum = shared.d_q[i * kStride + c];
    for (int j = larger(0, tile.first_key(query) - key); j < last; ++j) {
      sum += shared.d_scores[i * kRows + j] * shared.k[j * kStride + c];
    }
    shared.d_q[i * kStride + c] = sum;
  }
};

template <int kWidth>
struct KeyGradientKernel {
  static constexpr std::string_view kName = "attention_key_gradient";
  using Tile = AttentionTile<kWidth>;
  static constexpr int kRows = Tile::kRows;
  static constexpr int kStride = Tile::kStride;
  struct Shared {
    typename Tile::Rows k, v, q, d_out, d_k, d_v;
    typename Tile::Pairs p, d_scores;
    typename Tile::Statistic log_sum_exp, delta;
  };
  AttentionGradientOperands o;
  Operand<float> d_k, d_v;
  std::int32_t kv_heads;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const auto block = static_cast<std::int32_t>(t.block());
    const std::int32_t kv_head = block % kv_heads;
    const SequenceTile tile = find_tile(t, o.layout, block / kv_heads, kRows, 1);
    const int keys = smaller(kRows, tile.keys - tile.first);
    const std::int32_t row = tile.key_row + tile.first;
    const std::int32_t column = kv_head * o.width;
    fetch_rows<kWidth>(t, o.k, row, keys, column, o.width, shared.k);
    fetch_rows<kWidth>(t, o.v, row, keys, column, o.width, shared.v);
    clear_rows<kWidth>(t, shared.d_k);
    clear_rows<kWidth>(t, shared.d_v);
    // Queries before the first key see none of the tile; nor do those that a window ends.
    const std::int32_t last_key = tile.first + keys - 1;
    const std::int32_t end =
        tile.window > 0 ? smaller(tile.queries, last_key + tile.window) : tile.queries;
    for (std::int32_t head = kv_head * o.group; head < (kv_head + 1) * o.group; ++head) {
      for (std::int32_t query = tile.first; query < end; query += kRows) {
        one_tile(t, shared, tile, head, query, smaller(kRows, end - query), keys);
      }
    }
    t.barrier();
    put_rows<kWidth>(t, d_k, row, keys, column, o.width, shared.d_k);
    put_rows<kWidth>(t, d_v, row, keys, column, o.width, shared.d_v);
  }

  GPU_DEVICE void one_tile(const Thread& t, Shared& shared, const SequenceTile& tile,
                           std::int32_t head, std::int32_t query, int count, int keys) const {
    const std::int32_t row = tile.query_row + query;
    t.barrier();
    fetch_rows<kWidth>(t, o.q, row, count, head * o.width, o.width, shared.q);
    fetch_rows<kWidth>(t, o.d_out, row, count, head * o.width, o.width, shared.d_out);
    if (t.index() < count) {
      shared.log_sum_exp[t.index()] = load(t, o.log_sum_exp, row + t.index(), head);
      shared.delta[t.index()] = load(t, o.delta, row + t.index(), head);
    }
    t.barrier();
    for (int e = t.index(); e < count * keys; e += t.threads()) {
      const int i = e / keys, j = e % keys;
      const PairGradient<kWidth> pair(o, shared.q, shared.d_out, i, shared.k, shared.v, j,
                                      shared.log_sum_exp[i], shared.delta[i]);
      shared.p[i * kRows + j] = pair.p;
      shared.d_scores[i * kRows + j] = pair.d_score;
    }
    t.barrier();
    for (int e = t.index(); e < keys * o.width; e += t.threads()) {
      add_queries(shared, tile, e / o.width, e % o.width, query, count);
    }
  }

  GPU_DEVICE static void add_queries(Shared& shared, const SequenceTile& tile, int j, int c,
                                     std::int32_t query, int count) {
    const std::int32_t key = tile.first + j;
    const int last = tile.window > 0 ? smaller(count, key + tile.window - query) : count;
    float k_sum = shared.d_k[j * kStride + c];
    float v_sum = shared.d_v[j * kStride + c];
    for (int i = larger(0, key - query); i < last; ++i) {
      k_sum += shared.d_scores[i * kRows + j] * shared.q[i * kStride + c];
      v_sum += shared.p[i * kRows + j] * shared.d_out[i * kStride + c];
    }
    shared.d_k[j * kStride + c] = k_sum;
    shared.d_v[j * kStride + c] = v_sum;
  }
};

std::size_t scratch_bytes(const ops::OpContext&, const ops::AttentionBackward& op) {
  return layout_bytes(op.layout) + space_bytes<float>(op.q.rows() * op.q.shape()[1]);
}

void run(ops::OpContext& context, const ops::AttentionBackward& op) {
  Launcher launcher(context, op.kName);
  const std::int64_t heads = op.q.shape()[1], kv_heads = op.k.shape()[1], width = op.q.shape()[2];
  const DeviceLayout layout = on_device(launcher, op.layout);
  const auto delta = launcher.space<float>(op.q.rows(), heads, "delta");
  const auto d_out = launcher.reads<float>(op.d_out, "d_out");
  const RowCut cut(launcher, heads);
  launcher.launch(op.q.rows() * cut.parts, cut.threads,
                  AttentionDeltaKernel{d_out, launcher.reads<float>(op.out, "out"), delta,
                                       narrow_count(width), cut});
  const AttentionGradientOperands operands = {layout,
                                              d_out,
                                              launcher.reads<float>(op.q, "q"),
                                              launcher.reads<float>(op.k, "k"),
                                              launcher.reads<float>(op.v, "v"),
                                              launcher.reads<float>(op.log_sum_exp, "log_sum_exp"),
                                              read_only(delta),
                                              narrow_count(heads),
                                              narrow_count(heads / kv_heads),
                                              narrow_count(width)};
  with_head_width(width, [&]<int kWidth>() {
    const std::int64_t tiles = tiles_of(op.layout, AttentionTile<kWidth>::kRows, 1);
    launcher.launch(tiles * heads, launcher.card().block_threads,
                    QueryGradientKernel<kWidth>{operands, launcher.writes<float>(op.d_q, "d_q")});
    launcher.launch(
        tiles * kv_heads, launcher.card().block_threads,
        KeyGradientKernel<kWidth>{operands, launcher.writes<float>(op.d_k, "d_k"),
                                  launcher.writes<float>(op.d_v, "d_v"), narrow_count(kv_heads)});
  });
}

}  // namespace hone::kernels::gpu
