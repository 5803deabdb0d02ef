#include "ops/rms_norm.h"

#include <cmath>

#include "kernels/gpu/block_sum.h"
#include "kernels/gpu/column_sum.h"
#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu_kernels.h"

namespace hone::kernels::gpu {

// Elements of a vector that a thread keeps in registers, so that memory is read once. With 16, the
// backward does not fit into the 128 registers that gfx90a has for each of 1,024 threads.
constexpr int kKept = 14;
constexpr int kNormThreads = 1024;

// Column j of a thread's own: neighbours in memory belong to neighbouring threads.
GPU_DEVICE std::int32_t own_column(const Thread& t, int j) {
  return t.index() + j * t.threads();
}

// A block goes over so many vectors, with the weight in registers.
constexpr std::int64_t kNormRows = 32;

template <class W>
GPU_DEVICE void load_weights(const Thread& t, const Operand<const W>& weight, std::int32_t width,
                             float (&weights)[kKept]) {
  for (int j = 0; j < kKept; ++j) {
    const std::int32_t column = own_column(t, j);
    weights[j] = column < width ? widen(load(t, weight, column)) : 0.0f;
  }
}

template <class W, int kWaveWidth>
struct RmsNormForwardKernel {
  static constexpr std::string_view kName = "rms_norm_forward";
  static constexpr int kWave = kWaveWidth;
  static constexpr int kMostThreads = kNormThreads;
  struct Shared {
    WaveParts<float> parts;
  };
  Operand<const float> x;
  Operand<const float> delta;
  Operand<const W> weight;
  Operand<float> sum;
  Operand<float> y;
  Operand<float> inv_rms;
  std::int64_t vectors;
  std::int32_t width;
  std::int32_t groups;  // vectors of a row
  float epsilon;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    float weights[kKept];
    load_weights(t, weight, width, weights);
    const std::int64_t first = t.block() * kNormRows;
    for (std::int64_t vector = first; vector < first + kNormRows && vector < vectors; ++vector) {
      one_vector(t, shared, vector / groups, vector % groups, weights);
    }
  }

  GPU_DEVICE void one_vector(const Thread& t, Shared& shared, std::int64_t row, std::int64_t group,
                             const float (&weights)[kKept]) const {
    float kept[kKept];
    float squares = 0.0f;
    for (int j = 0; j < kKept; ++j) {
      const std::int32_t column = own_column(t, j);
      kept[j] = column < width ? value(t, row, group * width + column) : 0.0f;
      squares += kept[j] * kept[j];
    }
    squares = block_sum<kWave>(t, shared.parts, squares);
    const float factor = 1.0f / sqrtf(squares / static_cast<float>(width) + epsilon);
    if (t.index() == 0) store(t, inv_rms, row, group, factor);
    for (int j = 0; j < kKept; ++j) {
      const std::int32_t column = own_column(t, j);
      if (column < width) store(t, y, row, group * width + column, kept[j] * factor * weights[j]);
    }
  }

  GPU_DEVICE float value(const Thread& t, std::int64_t row, std::int64_t column) const {
    float value = load(t, x, row, column);
    if (!delta.present()) return value;
    value += load(t, delta, row, column);
    store(t, sum, row, column, value);
    return value;
  }
};

// Adds up the block's part of the weight's gradient on the way.
template <class W, int kWaveWidth>
struct RmsNormBackwardKernel {
  static constexpr std::string_view kName = "rms_norm_backward";
  static constexpr int kWave = kWaveWidth;
  static constexpr int kMostThreads = kNormThreads;
  struct Shared {
    WaveParts<float> parts;
  };
  Operand<const float> d_y;
  Operand<const float> x;
  Operand<const W> weight;
  Operand<const float> inv_rms;
  Operand<float> d_x;
  Operand<float> partials;  // [blocks, width]; absent when the weight is frozen
  std::int64_t vectors;
  std::int32_t width;
  std::int32_t groups;
  bool assign;

  GPU_DEVICE void operator()(const Thread& t, Shared& shared) const {
    float weights[kKept];
    float d_weight[kKept] = {};
    load_weights(t, weight, width, weights);
    const std::int64_t first = t.block() * kNormRows;
    for (std::int64_t vector = first; vector < first + kNormRows && vector < vectors; ++vector) {
      one_vector(t, shared, vector / groups, vector % groups, weights, d_weight);
    }
    if (!partials.present()) return;
    for (int j = 0; j < kKept; ++j) {
      const std::int32_t column = own_column(t, j);
      if (column < width) store(t, partials, t.block(), column, d_weight[j]);
    }
  }

  GPU_DEVICE void one_vector(const Thread& t, Shared& shared, std::int64_t row, std::int64_t group,
                             const float (&weights)[kKept], float (&d_weight)[kKept]) const {
    const float factor = load(t, inv_rms, row, group);
    const std::int64_t start = group * width;
    float g[kKept], n[kKept];
    float product = 0.0f;
    for (int j = 0; j < kKept; ++j) {
      const std::int32_t column = own_column(t, j);
      const float d = column < width ? load(t, d_y, row, start + column) : 0.0f;
      n[j] = column < width ? load(t, x, row, start + column) * factor : 0.0f;
      g[j] = d * weights[j];
      d_weight[j] += d * n[j];
      product += g[j] * n[j];
    }
    const float mean = block_sum<kWave>(t, shared.parts, product) / static_cast<float>(width);
    for (int j = 0; j < kKept; ++j) {
      const std::int32_t column = own_column(t, j);
      if (column >= width) continue;
      const float before = assign ? 0.0f : load(t, d_x, row, start + column);
      store(t, d_x, row, start + column, before + factor * (g[j] - n[j] * mean));
    }
  }
};

namespace {

struct NormShape {
  std::int64_t vectors, groups, width;

  explicit NormShape(const ConstTensorView& x)
      : vectors(0), groups(x.shape().rank() == 3 ? x.shape()[1] : 1), width(x.shape()[-1]) {
    vectors = x.rows() * groups;
  }

  std::int64_t blocks() const { return parts_of(vectors, kNormRows); }

  // Enough that kKept columns each are the whole vector.
  int threads(const Launcher& launcher) const {
    const int usual = launcher.threads_for(width);
    const std::int64_t wave = launcher.card().wave_width;
    const std::int64_t needed = parts_of(parts_of(width, kKept), wave) * wave;
    HONE_ASSERT(needed <= kNormThreads, width);
    return static_cast<int>(std::max<std::int64_t>(usual, needed));
  }
};

}  // namespace

void run(ops::OpContext& context, const ops::RmsNormForward& op) {
  const Launcher launcher(context, op.kName);
  const NormShape shape(op.x);
  const auto groups = static_cast<std::int32_t>(shape.groups);
  with_stored_type(op.weight.dtype(), [&]<class W>() {
    launcher.launch_by_wave(shape.blocks(), shape.threads(launcher), [&]<int kWave>() {
      return RmsNormForwardKernel<W, kWave>{launcher.reads<float>(op.x, "x"),
                                            launcher.reads<float>(op.delta, "delta"),
                                            launcher.reads<W>(op.weight, "weight"),
                                            launcher.writes<float>(op.sum, "sum"),
                                            launcher.writes<float>(op.y, "y"),
                                            launcher.writes<float>(op.inv_rms, "inv_rms"),
                                            shape.vectors,
                                            static_cast<std::int32_t>(shape.width),
                                            groups,
                                            static_cast<float>(op.epsilon)};
    });
  });
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::RmsNormBackward& op) {
  if (!op.d_weight.present()) return 0;
  const NormShape shape(op.x);
  return space_bytes<float>(shape.blocks() * shape.width);
}

void run(ops::OpContext& context, const ops::RmsNormBackward& op) {
  Launcher launcher(context, op.kName);
  const NormShape shape(op.x);
  const std::int64_t blocks = shape.blocks();
  Operand<float> partials;
  if (op.d_weight.present()) partials = launcher.space<float>(blocks, shape.width, "partials");
  const auto groups = static_cast<std::int32_t>(shape.groups);
  with_stored_type(op.weight.dtype(), [&]<class W>() {
    launcher.launch_by_wave(blocks, shape.threads(launcher), [&]<int kWave>() {
      return RmsNormBackwardKernel<W, kWave>{launcher.reads<float>(op.d_y, "d_y"),
                                             launcher.reads<float>(op.x, "x"),
                                             launcher.reads<W>(op.weight, "weight"),
                                             launcher.reads<float>(op.inv_rms, "inv_rms"),
                                             launcher.writes<float>(op.d_x, "d_x"),
                                             partials,
                                             shape.vectors,
                                             static_cast<std::int32_t>(shape.width),
                                             groups,
                                             op.assign};
    });
  });
  if (op.d_weight.present()) {
    add_columns(launcher, partials, blocks, launcher.writes<float>(op.d_weight, "d_weight"),
                shape.width);
  }
}

}  // namespace hone::kernels::gpu
