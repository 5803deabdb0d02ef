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

#include <cfloat>
#include <cmath>

#include "kernels/gpu/attention_tile.h"
#include "kernels/gpu/cut.h"
#include "kernels/gpu/matrix_unit.h"

namespace hone::kernels::gpu {

template <class Unit, int kWidth>
struct AttentionMatrixKernel {
  static constexpr std::string_view kName = "attention_matrix";
  static constexpr int kWave = Unit::kWave;
  static constexpr MatrixUnit kMatrixUnit = Unit::kUnit;
  static constexpr int kChunks = kWidth / kMatrixSide;
  static constexpr int kIn = Unit::kInputs, kOut = Unit::kOutputs;
  using Shared = NoShared;
  DeviceLayout layout;
  Operand<const BFloat16> q, k, v;
  Operand<BFloat16> out;
  Operand<float> log_sum_exp;
  std::int64_t kv_heads;
  std::int64_t group;
  std::int64_t tiles;  // of all key heads
  int width;

  // The wave's tile, and this lane's row of it.
  struct Work {
    SequenceTile tile;
    std::int64_t kv_head, row, head, first_key, last_key;
    int lane;
    bool valid;
  };

  GPU_DEVICE void operator()(const Thread& t, Shared&) const {
    const std::int64_t at = t.block() * (t.threads() / kWave) + t.index() / kWave;
    if (at >= tiles) return;  // the whole wave
    Work w = {find_tile(t, layout, at / kv_heads, kMatrixSide, group),
              at % kv_heads,
              0,
              0,
              0,
              0,
              t.index() % kWave,
              false};
    const int count = smaller(kMatrixSide, w.tile.queries * group - w.tile.first);
    place(w, count);
    BFloat16 query[kChunks][kIn];
    fetch_query(t, w, query);
    float value[kChunks][kOut] = {};
    float largest = -FLT_MAX, sum = 0.0f;
    const std::int64_t end = w.tile.last_key((w.tile.first + count - 1) / group) + 1;
    for (std::int64_t key = w.tile.first_key(w.tile.first / group); key < end; key += kMatrixSide) {
      float p[kOut] = {};
      scores(t, w, query, key, end, p);
      const float factor = weigh(t, w, key, p, largest, sum);
      add_values(t, w, key, end, p, factor, value);
    }
    for (int mask = kMatrixSide; mask < kWave; mask *= 2) sum += t.exchange_xor<kWave>(sum, mask);
    finish(t, w, value, largest, sum);
  }

  GPU_DEVICE void place(Work& w, int count) const {
    const int line = matrix_line(w.lane);
    w.valid = line < count;
    const std::int64_t row = w.tile.first + (w.valid ? line : 0);
    w.row = w.tile.query_row + row / group;
    w.head = w.kv_head * group + row % group;
    w.first_key = w.tile.first_key(row / group);
    w.last_key = w.tile.last_key(row / group);
  }

  GPU_DEVICE void fetch_query(const Thread& t, const Work& w,
                              BFloat16 (&query)[kChunks][kIn]) const {
    for (int c = 0; c < kChunks; ++c) {
      for (int e = 0; e < kIn; ++e) {
        const int column = c * kMatrixSide + Unit::depth(w.lane, e);
        query[c][e] =
            w.valid && column < width ? load(t, q, w.row, w.head * width + column) : BFloat16{0};
      }
    }
  }

  GPU_DEVICE void scores(const Thread& t, const Work& w, const BFloat16 (&query)[kChunks][kIn],
                         std::int64_t key, std::int64_t end, float (&p)[kOut]) const {
    const std::int64_t own = key + matrix_line(w.lane);
    for (int c = 0; c < kChunks; ++c) {
      BFloat16 a[kIn];
      for (int e = 0; e < kIn; ++e) {
        const int column = c * kMatrixSide + Unit::depth(w.lane, e);
        a[e] = own < end && column < width
                   ? load(t, k, w.tile.key_row + own, w.kv_head * width + column)
                   : BFloat16{0};
      }
      multiply_matrices<Unit>(t, a, query[c], p);
    }
  }

  // Scores to weights; what earlier sums are worth now is returned. `sum` is of this lane's keys.
  GPU_DEVICE float weigh(const Thread& t, const Work& w, std::int64_t key, float (&p)[kOut],
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

  GPU_DEVICE static bool sees(const Work& w, std::int64_t key) {
    return w.valid && key >= w.first_key && key <= w.last_key;
  }

  GPU_DEVICE void add_values(const Thread& t, const Work& w, std::int64_t key, std::int64_t end,
                             const float (&p)[kOut], float factor,
                             float (&value)[kChunks][kOut]) const {
    BFloat16 weights[kIn];
    Unit::as_input(t, p, weights);
    for (int c = 0; c < kChunks; ++c) {
      const int column = c * kMatrixSide + matrix_line(w.lane);
      BFloat16 a[kIn];
      for (int e = 0; e < kIn; ++e) {
        const std::int64_t own = key + Unit::key(w.lane, e);
        a[e] = own < end && column < width
                   ? load(t, v, w.tile.key_row + own, w.kv_head * width + column)
                   : BFloat16{0};
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
        if (column < width) {
          store(t, out, w.row, w.head * width + column, narrowed<BFloat16>(value[c][g] / sum));
        }
      }
    }
    if (w.lane < kMatrixSide) store(t, log_sum_exp, w.row, w.head, largest + logf(sum));
  }
};

namespace {

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
          launcher.writes<float>(op.log_sum_exp, "log_sum_exp"), kv_heads, group, tiles,
          static_cast<int>(op.q.shape()[2])});
}

}  // namespace

bool has_matrix_attention(const Card& card, const ops::AttentionForward& op) {
  return card.matrix_unit != MatrixUnit::none && op.q.dtype() == DType::bf16 &&
         op.q.shape()[2] <= 128;
}

void run_matrix_attention(Launcher& launcher, const ops::AttentionForward& op,
                          const DeviceLayout& layout) {
  with_head_width(op.q.shape()[2], [&]<int kWidth>() {
    if constexpr (kWidth <= 128) {
      switch (launcher.card().matrix_unit) {
        case MatrixUnit::mfma:
          return launch_as<Mfma, kWidth>(launcher, op, layout);
        case MatrixUnit::wmma11:
          return launch_as<Wmma11, kWidth>(launcher, op, layout);
        default:
          return launch_as<Wmma12, kWidth>(launcher, op, layout);
      }
    }
  });
}

}  // namespace hone::kernels::gpu
