#include <cfloat>
#include <cmath>

#include "kernels/gpu/attention_matrix.h"
#include "kernels/gpu/attention_tile.h"
#include "kernels/gpu/cut.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

// Where a decoding step reads a long cache, its keys are cut into parts of so many, for blocks of
// their own: one query for each sequence would leave most of a card idle.
constexpr std::int32_t kPartKeys = 256;

// A block makes a tile of rows of one key head, with the running maximum and sum of Milakov and
// Gimelshein, "Online normalizer calculation for softmax", 2018. A row is a query of one of the
// heads that share the key head: row r of a sequence is query r / group, head r % group.
template <int kWidth, class T>
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
  Operand<const T> q, k, v;
  Operand<T> out;
  Operand<float> log_sum_exp;
  // With several parts, of each: [parts * T, H * E], not yet divided, and twice [parts * T, H].
  Operand<float> part_out, part_largest, part_sums;
  std::int32_t query_rows;
  std::int32_t kv_heads;
  std::int32_t group;  // query heads of a key head
  std::int32_t parts;
  int width;

  // The tile and its keys, as one block sees them.
  struct Work {
    SequenceTile tile;
    std::int32_t kv_head, part;
    std::int32_t group;
    int count;  // rows

    GPU_DEVICE std::int32_t query(int i) const { return (tile.first + i) / group; }
    GPU_DEVICE std::int32_t row(int i) const { return tile.query_row + query(i); }
    GPU_DEVICE std::int32_t head(int i) const { return kv_head * group + (tile.first + i) % group; }
    // Which keys of [key, key + keys) row i sees: [from, to).
    GPU_DEVICE int from(int i, std::int32_t key) const {
      return larger(0, tile.first_key(query(i)) - key);
    }
    GPU_DEVICE int to(int i, std::int32_t key, int keys) const {
      return smaller(keys, tile.last_key(query(i)) - key + 1);
    }
  };

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    const auto block = static_cast<std::int32_t>(t.block());
    const std::int32_t at = block / parts;
    Work work = {find_tile(t, layout, at / kv_heads, kRows, group), at % kv_heads, block % parts,
                 group, 0};
    work.count = smaller(kRows, work.tile.queries * group - work.tile.first);
    start(t, shared, work);
    std::int32_t key = work.tile.first_key(work.query(0));
    std::int32_t end = work.tile.last_key(work.query(work.count - 1)) + 1;
    if (parts > 1) {
      key = larger(key, work.part * kPartKeys);
      end = smaller(end, (work.part + 1) * kPartKeys);
    }
    for (; key < end; key += kRows) {
      const int keys = smaller(kRows, end - key);
      t.barrier();
      fetch_rows<kWidth>(t, k, work.tile.key_row + key, keys, work.kv_head * width, width,
                         shared.keys);
      t.barrier();
      for (int e = t.index(); e < work.count * keys; e += t.threads()) {
        const int i = e / keys, j = e % keys;
        shared.p[i * kRows + j] =
            layout.scale * dot_rows<kWidth>(shared.q, i, shared.keys, j, width);
      }
      t.barrier();
      fetch_rows<kWidth>(t, v, work.tile.key_row + key, keys, work.kv_head * width, width,
                         shared.keys);
      if (t.index() < work.count) weigh(shared, work, t.index(), key, keys);
      t.barrier();
      for (int e = t.index(); e < work.count * width; e += t.threads()) {
        add_values(shared, work, e / width, e % width, key, keys);
      }
    }
    t.barrier();
    finish(t, shared, work);
  }

  GPU_DEVICE void start(const Thread& t, Shared& shared, const Work& work) const {
    for (int e = t.index(); e < work.count * width; e += t.threads()) {
      const int i = e / width, c = e % width;
      shared.q[i * kStride + c] = widen(load(t, q, work.row(i), work.head(i) * width + c));
    }
    clear_rows<kWidth>(t, shared.out);
    if (t.index() < kRows) {
      shared.largest[t.index()] = -FLT_MAX;
      shared.sums[t.index()] = 0.0f;
    }
  }

  GPU_DEVICE static void weigh(Shared& shared, const Work& work, int i, std::int32_t key,
                               int keys) {
    const int first = work.from(i, key), last = work.to(i, key, keys);
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

  GPU_DEVICE static void add_values(Shared& shared, const Work& work, int i, int c,
                                    std::int32_t key, int keys) {
    const int last = work.to(i, key, keys);
    float sum = shared.out[i * kStride + c] * shared.factors[i];
    for (int j = work.from(i, key); j < last; ++j) {
      sum += shared.p[i * kRows + j] * shared.keys[j * kStride + c];
    }
    shared.out[i * kStride + c] = sum;
  }

  GPU_DEVICE void finish(const Thread& t, Shared& shared, const Work& work) const {
    const std::int32_t shift = work.part * query_rows;
    for (int e = t.index(); e < work.count * width; e += t.threads()) {
      const int i = e / width, c = e % width;
      const float value = shared.out[i * kStride + c];
      const std::int32_t column = work.head(i) * width + c;
      if (parts > 1) {
        store(t, part_out, shift + work.row(i), column, value);
      } else {
        store(t, out, work.row(i), column, narrowed<T>(value / shared.sums[i]));
      }
    }
    const int i = t.index();
    if (i >= work.count) return;
    if (parts > 1) {
      store(t, part_largest, shift + work.row(i), work.head(i), shared.largest[i]);
      store(t, part_sums, shift + work.row(i), work.head(i), shared.sums[i]);
    } else {
      store(t, log_sum_exp, work.row(i), work.head(i), shared.largest[i] + logf(shared.sums[i]));
    }
  }
};

// Joins the parts of a decoding step, in their order.
template <class T>
struct AttentionJoinKernel {
  static constexpr std::string_view kName = "attention_join";
  using Shared = NoShared;
  Operand<const float> part_out;  // [parts * T, H * E]
  Operand<const float> part_largest, part_sums;
  Operand<T> out;
  Operand<float> log_sum_exp;
  std::int32_t query_rows;
  std::int32_t parts;
  std::int32_t width;
  RowCut cut;

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t row = cut.row(t), column = cut.column(t);
    if (column >= cut.columns) return;
    const std::int32_t head = static_cast<std::int32_t>(column) / width;
    float largest = -FLT_MAX;
    for (std::int32_t p = 0; p < parts; ++p) {
      const float one = load(t, part_largest, p * query_rows + row, head);
      largest = one > largest ? one : largest;
    }
    float value = 0.0f, sum = 0.0f;
    for (std::int32_t p = 0; p < parts; ++p) {
      const std::int64_t from = p * query_rows + row;
      const float factor = expf(load(t, part_largest, from, head) - largest);
      value += factor * load(t, part_out, from, column);
      sum += factor * load(t, part_sums, from, head);
    }
    store(t, out, row, column, narrowed<T>(value / sum));
    if (static_cast<std::int32_t>(column) % width == 0)
      store(t, log_sum_exp, row, head, largest + logf(sum));
  }
};

std::size_t layout_bytes(const ops::AttentionLayout& layout) {
  const auto sequences = static_cast<std::int64_t>(layout.key_starts.size());
  return space_bytes<std::int32_t>(sequences + 1) + 2 * space_bytes<std::int32_t>(sequences);
}

DeviceLayout on_device(Launcher& launcher, const ops::AttentionLayout& layout) {
  // A window that no sequence fills is none.
  std::int32_t longest = 0;
  for (const std::int32_t keys : layout.key_lengths) longest = std::max(longest, keys);
  const std::int32_t window =
      layout.window < longest ? static_cast<std::int32_t>(layout.window) : 0;
  return {launcher.copied(layout.query_starts, "query_starts"),
          launcher.copied(layout.key_starts, "key_starts"),
          launcher.copied(layout.key_lengths, "key_lengths"),
          narrow_count(static_cast<std::int64_t>(layout.key_starts.size())),
          window,
          static_cast<float>(layout.scale)};
}

std::int64_t tiles_of(const ops::AttentionLayout& layout, std::int64_t rows,
                      std::int64_t rows_a_query) {
  std::int64_t tiles = 0;
  for (std::size_t s = 0; s < layout.key_starts.size(); ++s) {
    const std::int64_t queries = layout.query_starts[s + 1] - layout.query_starts[s];
    tiles += parts_of(queries * rows_a_query, rows);
  }
  return tiles;
}

namespace {

// Parts of the keys: one, but for decoding steps, where no sequence has more than one query.
std::int64_t key_parts(const ops::AttentionLayout& layout) {
  std::int64_t longest = 1;
  for (std::size_t s = 0; s < layout.key_starts.size(); ++s) {
    if (layout.query_starts[s + 1] - layout.query_starts[s] > 1) return 1;
    longest = std::max<std::int64_t>(longest, layout.key_lengths[s]);
  }
  return parts_of(longest, kPartKeys);
}

struct PartSpace {
  Operand<float> out, largest, sums;
};

template <int kWidth, class T>
AttentionForwardKernel<kWidth, T> kernel_of(const Launcher& launcher,
                                            const ops::AttentionForward& op,
                                            const DeviceLayout& layout, const PartSpace& space,
                                            std::int64_t parts) {
  const std::int64_t kv_heads = op.k.shape()[1];
  return {layout,
          launcher.reads<T>(op.q, "q"),
          launcher.reads<T>(op.k, "k"),
          launcher.reads<T>(op.v, "v"),
          launcher.writes<T>(op.out, "out"),
          launcher.writes<float>(op.log_sum_exp, "log_sum_exp"),
          space.out,
          space.largest,
          space.sums,
          narrow_count(op.q.rows()),
          narrow_count(kv_heads),
          narrow_count(op.q.shape()[1] / kv_heads),
          narrow_count(parts),
          narrow_count(op.q.shape()[2])};
}

template <class T>
void join(const Launcher& launcher, const ops::AttentionForward& op, const PartSpace& space,
          std::int64_t parts) {
  const RowCut cut(launcher, op.q.columns());
  launcher.launch(op.q.rows() * cut.parts, cut.threads,
                  AttentionJoinKernel<T>{read_only(space.out), read_only(space.largest),
                                         read_only(space.sums), launcher.writes<T>(op.out, "out"),
                                         launcher.writes<float>(op.log_sum_exp, "log_sum_exp"),
                                         narrow_count(op.q.rows()), narrow_count(parts),
                                         narrow_count(op.q.shape()[2]), cut});
}

template <class T>
void run_as(Launcher& launcher, const ops::AttentionForward& op, const DeviceLayout& layout) {
  const std::int64_t heads = op.q.shape()[1], kv_heads = op.k.shape()[1];
  const std::int64_t parts = key_parts(op.layout);
  PartSpace space;
  if (parts > 1) {
    const std::int64_t rows = parts * op.q.rows();
    space = {launcher.space<float>(rows, op.q.columns(), "part_out"),
             launcher.space<float>(rows, heads, "part_largest"),
             launcher.space<float>(rows, heads, "part_sums")};
  }
  with_head_width(op.q.shape()[2], [&]<int kWidth>() {
    const std::int64_t tiles = tiles_of(op.layout, AttentionTile<kWidth>::kRows, heads / kv_heads);
    launcher.launch(tiles * kv_heads * parts, launcher.card().block_threads,
                    kernel_of<kWidth, T>(launcher, op, layout, space, parts));
  });
  if (parts > 1) join<T>(launcher, op, space, parts);
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext&, const ops::AttentionForward& op) {
  const std::int64_t parts = key_parts(op.layout);
  if (parts == 1) return layout_bytes(op.layout);
  const std::int64_t rows = parts * op.q.rows();
  return layout_bytes(op.layout) + space_bytes<float>(rows * op.q.columns()) +
         2 * space_bytes<float>(rows * op.q.shape()[1]);
}

void run(ops::OpContext& context, const ops::AttentionForward& op) {
  Launcher launcher(context, op.kName);
  const DeviceLayout layout = on_device(launcher, op.layout);
  if (key_parts(op.layout) == 1 && has_matrix_attention(launcher.card(), op)) {
    run_matrix_attention(launcher, op, layout);
  } else if (op.q.dtype() == DType::bf16) {
    run_as<BFloat16>(launcher, op, layout);
  } else {
    run_as<float>(launcher, op, layout);
  }
}

}  // namespace hone::kernels::gpu
