// Attention forward on the matrix units, bf16. A wave makes a tile of 16 rows (queries of the heads
// that share a key head, as attention_forward.cpp counts them), and needs neither the local data
// share nor barriers:
//
//   S^T = K Q^T: a lane holds the scores of some keys for one row, its line; the rest of that row
//   lies in the lanes of the same line, so that a maximum is a few exchanges.
//   O^T += V^T P^T: P^T is S^T's registers, rounded to bf16.
//
// Keys that a row does not see have the weight 0; unlike in the vector kernel, their values are
// multiplied by it, so a NaN or an infinity in a value reaches rows up to 15 before its own.
#include "kernels/gpu/attention_matrix.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>
#include <utility>

#include "kernels/gpu/attention_tile.h"
#include "kernels/gpu/cut.h"
#include "kernels/gpu/matrix_unit.h"

namespace hone::kernels::gpu {

// Heads of exactly kWidth: every fragment is whole, and the registers suffice.
template <class Unit, int kWidth>
struct AttentionMatrixKernel {
  static constexpr std::string_view kName = "attention_matrix";
  static constexpr int kWave = Unit::kWave;
  static constexpr MatrixUnit kMatrixUnit = Unit::kUnit;
  static constexpr int kChunks = kWidth / kMatrixSide;
  static constexpr int kIn = Unit::kInputs, kOut = Unit::kOutputs;
  static constexpr int kRun = kIn / Unit::kRuns;
  using Shared = NoShared;
  using Inputs = Fragment<kIn>;
  DeviceLayout layout;
  Operand<const BFloat16> q, k, v;
  Operand<BFloat16> out;
  Operand<float> log_sum_exp;
  std::int32_t kv_heads;
  std::int32_t group;
  std::int32_t tiles;  // of all key heads

  // The wave's tile, and this lane's row of it.
  struct Work {
    std::int32_t key_row, first_column;  // of the tile's keys
    std::int32_t row, head, first_key, last_key;
    int lane;
    bool valid;
  };

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int32_t at =
        static_cast<std::int32_t>(t.block()) * (t.threads() / kWave) + t.index() / kWave;
    if (at >= tiles) return;  // the whole wave
    const SequenceTile tile = find_tile(t, layout, at / kv_heads, kMatrixSide, group);
    const int count = smaller(kMatrixSide, tile.queries * group - tile.first);
    const Work w = placed(tile, at % kv_heads, t.index() % kWave, count);
    Inputs query[kChunks];
    fetch_query(t, w, query);
    float value[kChunks][kOut] = {};
    float largest = -FLT_MAX, sum = 0.0f;
    const std::int32_t end = tile.last_key((tile.first + count - 1) / group) + 1;
    for (std::int32_t key = tile.first_key(tile.first / group); key < end; key += kMatrixSide) {
      float p[kOut] = {};
      scores(t, w, query, key, end, p);
      const float factor = weigh(t, w, key, p, largest, sum);
      add_values(t, w, key, end, p, factor, value);
    }
    for (int mask = kMatrixSide; mask < kWave; mask *= 2) sum += t.exchange_xor<kWave>(sum, mask);
    finish(t, w, value, largest, sum);
  }

  // Lanes without a row of their own do the first row's work once more, and store nothing.
  GPU_DEVICE Work placed(const SequenceTile& tile, std::int32_t kv_head, int lane,
                         int count) const {
    const int line = matrix_line(lane);
    const bool valid = line < count;
    const std::int32_t row = tile.first + (valid ? line : 0);
    return {tile.key_row,
            kv_head * kWidth,
            tile.query_row + row / group,
            kv_head * group + row % group,
            tile.first_key(row / group),
            tile.last_key(row / group),
            lane,
            valid};
  }

  // A chunk of a row, of which columns [first, first + kWidth) hold a head.
  GPU_DEVICE static Inputs fetch(const Thread& t, const Operand<const BFloat16>& from,
                                 std::int32_t row, std::int32_t first, int chunk, int lane) {
    Inputs inputs;
    for (int r = 0; r < Unit::kRuns; ++r) {
      const int start = chunk * kMatrixSide + Unit::depth(lane, r * kRun);
      const Words<kRun> run = load_together<kRun>(t, from, row, first + start);
      for (int n = 0; n < kRun / 2; ++n) inputs.word[r * kRun / 2 + n] = run.word[n];
    }
    return inputs;
  }

  GPU_DEVICE void fetch_query(const Thread& t, const Work& w, Inputs (&query)[kChunks]) const {
    for (int c = 0; c < kChunks; ++c) query[c] = fetch(t, q, w.row, w.head * kWidth, c, w.lane);
  }

  // Keys beyond the end repeat the last one: nothing sees them.
  GPU_DEVICE void scores(const Thread& t, const Work& w, const Inputs (&query)[kChunks],
                         std::int32_t key, std::int32_t end, float (&p)[kOut]) const {
    const std::int32_t own = w.key_row + smaller(key + matrix_line(w.lane), end - 1);
    for (int c = 0; c < kChunks; ++c) {
      multiply_matrices<Unit>(t, fetch(t, k, own, w.first_column, c, w.lane), query[c], p);
    }
  }

  // Scores to weights; what earlier sums are worth now is returned. `sum` is of this lane's keys.
  GPU_DEVICE float weigh(const Thread& t, const Work& w, std::int32_t key, float (&p)[kOut],
                         float& largest, float& sum) const {
    float most = largest;
    for (int g = 0; g < kOut; ++g) {
      p[g] *= layout.scale;
      if (sees(w, key + Unit::row(w.lane, g)) && p[g] > most) most = p[g];
    }
    for (int mask = kMatrixSide; mask < kWave; mask *= 2) {
      const float other = t.exchange_xor<kWave>(most, mask);
      most = other > most ? other : most;
    }
    const float factor = expf(largest - most);
    largest = most;
    sum *= factor;
    for (int g = 0; g < kOut; ++g) {
      p[g] = sees(w, key + Unit::row(w.lane, g)) ? expf(p[g] - most) : 0.0f;
      sum += p[g];
    }
    return factor;
  }

  GPU_DEVICE static bool sees(const Work& w, std::int32_t key) {
    return w.valid && key >= w.first_key && key <= w.last_key;
  }

  GPU_DEVICE void add_values(const Thread& t, const Work& w, std::int32_t key, std::int32_t end,
                             const float (&p)[kOut], float factor,
                             float (&value)[kChunks][kOut]) const {
    Inputs weights;
    Unit::as_input(t, p, weights);
    for (int c = 0; c < kChunks; ++c) {
      const std::int32_t from = w.first_column + c * kMatrixSide + matrix_line(w.lane);
      Inputs a;
      for (int e = 0; e < kIn; ++e) {
        put(a, e, load(t, v, w.key_row + smaller(key + Unit::key(w.lane, e), end - 1), from));
      }
      for (int g = 0; g < kOut; ++g) value[c][g] *= factor;
      multiply_matrices<Unit>(t, a, weights, value[c]);
    }
  }

  GPU_DEVICE void finish(const Thread& t, const Work& w, const float (&value)[kChunks][kOut],
                         float largest, float sum) const {
    if (!w.valid) return;
    for (int c = 0; c < kChunks; ++c) {
      for (int g = 0; g < kOut; ++g) {
        const int column = c * kMatrixSide + Unit::row(w.lane, g);
        store(t, out, w.row, w.head * kWidth + column, narrowed<BFloat16>(value[c][g] / sum));
      }
    }
    if (w.lane < kMatrixSide) store(t, log_sum_exp, w.row, w.head, largest + logf(sum));
  }
};

namespace {

// Widths that models have; others are the vector kernel's.
constexpr int kWidths[] = {32, 64, 80, 96, 128};

template <class Unit, int kWidth>
void launch_as(Launcher& launcher, const ops::AttentionForward& op, const DeviceLayout& layout) {
  const std::int64_t kv_heads = op.k.shape()[1];
  const std::int64_t group = op.q.shape()[1] / kv_heads;
  const std::int64_t tiles = tiles_of(op.layout, kMatrixSide, group) * kv_heads;
  const int threads = launcher.card().block_threads;
  launcher.launch(
      parts_of(tiles, threads / Unit::kWave), threads,
      AttentionMatrixKernel<Unit, kWidth>{
          layout, launcher.reads<BFloat16>(op.q, "q"), launcher.reads<BFloat16>(op.k, "k"),
          launcher.reads<BFloat16>(op.v, "v"), launcher.writes<BFloat16>(op.out, "out"),
          launcher.writes<float>(op.log_sum_exp, "log_sum_exp"), narrow_count(kv_heads),
          narrow_count(group), narrow_count(tiles)});
}

template <class Unit, std::size_t... kIndex>
void launch_on(Launcher& launcher, const ops::AttentionForward& op, const DeviceLayout& layout,
               std::index_sequence<kIndex...>) {
  const std::int64_t width = op.q.shape()[2];
  ((width == kWidths[kIndex] ? launch_as<Unit, kWidths[kIndex]>(launcher, op, layout) : void()),
   ...);
}

}  // namespace

bool has_matrix_attention(const Card& card, const ops::AttentionForward& op) {
  return card.matrix_unit != MatrixUnit::none && op.q.dtype() == DType::bf16 &&
         std::find(std::begin(kWidths), std::end(kWidths), op.q.shape()[2]) != std::end(kWidths);
}

void run_matrix_attention(Launcher& launcher, const ops::AttentionForward& op,
                          const DeviceLayout& layout) {
  constexpr std::make_index_sequence<std::size(kWidths)> widths;
  switch (launcher.card().matrix_unit) {
    case MatrixUnit::mfma:
      return launch_on<Mfma>(launcher, op, layout, widths);
    case MatrixUnit::wmma11:
      return launch_on<Wmma11>(launcher, op, layout, widths);
    default:
      return launch_on<Wmma12>(launcher, op, layout, widths);
  }
}

}  // namespace hone::kernels::gpu
