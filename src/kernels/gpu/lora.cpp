#include "ops/lora.h"

#include "kernels/gpu/gpu_kernels.h"
#include "kernels/gpu/philox.h"
#include "kernels/gpu/tile_product.h"

namespace hone::kernels::gpu {

// ops/dropout.h on the device: the factor of one element.
struct DeviceDropout {
  Operand<const std::uint64_t> key_of_row;
  std::uint64_t seed;
  std::uint32_t channel;
  std::uint64_t threshold;  // kept at this 32-bit number and above
  float kept;
  bool active;

  GPU_DEVICE float factor(const Thread& t, std::int64_t row, std::int64_t column) const {
    if (!active) return 1.0f;
    const std::uint32_t lane = (channel << 20) | static_cast<std::uint32_t>(column / 4);
    const RandomWords random =
        philox(seed, RandomStream::adapter_dropout, load(t, key_of_row, row), lane);
    return random.word[column % 4] >= threshold ? kept : 0.0f;
  }
};

struct LoraDownProblem {
  static constexpr std::string_view kName = "lora_down";
  static constexpr bool kLeftAlongDepth = true, kRightAlongDepth = true;
  Operand<const float> x;
  Operand<const float> a;
  Operand<float> h;
  DeviceDropout dropout;
  std::int64_t rows, columns, depth;

  GPU_DEVICE float left(const Thread& t, std::int64_t i, std::int64_t k) const {
    return load(t, x, i, k) * dropout.factor(t, i, k);
  }
  GPU_DEVICE float right(const Thread& t, std::int64_t j, std::int64_t k) const {
    return load(t, a, j, k);
  }
  GPU_DEVICE void put(const Thread& t, std::int64_t i, std::int64_t j, float sum) const {
    store(t, h, i, j, sum);
  }
};

struct LoraUpProblem {
  static constexpr std::string_view kName = "lora_up";
  static constexpr bool kLeftAlongDepth = true, kRightAlongDepth = true;
  Operand<const float> h;
  Operand<const float> b;
  Operand<float> y;
  float scale;
  bool accumulate;
  std::int64_t rows, columns, depth;

  GPU_DEVICE float left(const Thread& t, std::int64_t i, std::int64_t k) const {
    return load(t, h, i, k);
  }
  GPU_DEVICE float right(const Thread& t, std::int64_t j, std::int64_t k) const {
    return load(t, b, j, k);
  }
  GPU_DEVICE void put(const Thread& t, std::int64_t i, std::int64_t j, float sum) const {
    const float before = accumulate ? load(t, y, i, j) : 0.0f;
    store(t, y, i, j, before + scale * sum);
  }
};

// d_h = scale * d_y B
struct LoraHiddenGradient {
  static constexpr std::string_view kName = "lora_hidden_gradient";
  static constexpr bool kLeftAlongDepth = true, kRightAlongDepth = false;
  Operand<const float> d_y;
  Operand<const float> b;
  Operand<float> d_h;
  float scale;
  std::int64_t rows, columns, depth;

  GPU_DEVICE float left(const Thread& t, std::int64_t i, std::int64_t k) const {
    return load(t, d_y, i, k);
  }
  GPU_DEVICE float right(const Thread& t, std::int64_t j, std::int64_t k) const {
    return load(t, b, k, j);
  }
  GPU_DEVICE void put(const Thread& t, std::int64_t i, std::int64_t j, float sum) const {
    store(t, d_h, i, j, scale * sum);
  }
};

// out += scale * left^T right, summed over the tokens: d_b of d_y and h, d_a of d_h and x.
struct LoraWeightGradient {
  static constexpr std::string_view kName = "lora_weight_gradient";
  static constexpr bool kLeftAlongDepth = false, kRightAlongDepth = false;
  Operand<const float> of_rows;     // [T, rows]
  Operand<const float> of_columns;  // [T, columns]
  Operand<float> gradient;
  DeviceDropout dropout;  // of of_columns
  float scale;
  std::int64_t rows, columns, depth;

  GPU_DEVICE float left(const Thread& t, std::int64_t i, std::int64_t k) const {
    return load(t, of_rows, k, i);
  }
  GPU_DEVICE float right(const Thread& t, std::int64_t j, std::int64_t k) const {
    return load(t, of_columns, k, j) * dropout.factor(t, k, j);
  }
  GPU_DEVICE void put(const Thread& t, std::int64_t i, std::int64_t j, float sum) const {
    store(t, gradient, i, j, load(t, gradient, i, j) + scale * sum);
  }
};

// d_x = or += dropout'(d_h A)
struct LoraInputGradient {
  static constexpr std::string_view kName = "lora_input_gradient";
  static constexpr bool kLeftAlongDepth = true, kRightAlongDepth = false;
  Operand<const float> d_h;
  Operand<const float> a;
  Operand<float> d_x;
  DeviceDropout dropout;
  bool accumulate;
  std::int64_t rows, columns, depth;

  GPU_DEVICE float left(const Thread& t, std::int64_t i, std::int64_t k) const {
    return load(t, d_h, i, k);
  }
  GPU_DEVICE float right(const Thread& t, std::int64_t j, std::int64_t k) const {
    return load(t, a, k, j);
  }
  GPU_DEVICE void put(const Thread& t, std::int64_t i, std::int64_t j, float sum) const {
    const float before = accumulate ? load(t, d_x, i, j) : 0.0f;
    store(t, d_x, i, j, before + sum * dropout.factor(t, i, j));
  }
};

namespace {

std::size_t key_bytes(const ops::Dropout& dropout, std::int64_t rows) {
  return dropout.active() ? space_bytes<std::uint64_t>(rows) : 0;
}

DeviceDropout on_device(Launcher& launcher, const ops::Dropout& dropout) {
  if (!dropout.active()) return {};
  // The smallest 32-bit number that is not below probability * 2^32.
  const double edge = dropout.probability * 0x1p32;
  auto threshold = static_cast<std::uint64_t>(edge);
  if (static_cast<double>(threshold) < edge) ++threshold;
  return {launcher.copied(dropout.key_of_row, "key_of_row"),
          dropout.seed,
          dropout.channel,
          threshold,
          static_cast<float>(1.0 / (1.0 - dropout.probability)),
          true};
}

}  // namespace

std::size_t scratch_bytes(const ops::OpContext&, const ops::LoraDown& op) {
  return key_bytes(op.dropout, op.x.rows());
}

void run(ops::OpContext& context, const ops::LoraDown& op) {
  Launcher launcher(context, op.kName);
  launch_tiles(launcher,
               LoraDownProblem{launcher.reads<float>(op.x, "x"), launcher.reads<float>(op.a, "a"),
                               launcher.writes<float>(op.h, "h"), on_device(launcher, op.dropout),
                               op.h.rows(), op.h.columns(), op.x.columns()});
}

void run(ops::OpContext& context, const ops::LoraUp& op) {
  const Launcher launcher(context, op.kName);
  launch_tiles(launcher,
               LoraUpProblem{launcher.reads<float>(op.h, "h"), launcher.reads<float>(op.b, "b"),
                             launcher.writes<float>(op.y, "y"), static_cast<float>(op.scale),
                             op.accumulate, op.y.rows(), op.y.columns(), op.h.columns()});
}

void run(ops::OpContext& context, const ops::LoraUpBackward& op) {
  const Launcher launcher(context, op.kName);
  const auto d_y = launcher.reads<float>(op.d_y, "d_y");
  const auto scale = static_cast<float>(op.scale);
  launch_tiles(launcher, LoraHiddenGradient{d_y, launcher.reads<float>(op.b, "b"),
                                            launcher.writes<float>(op.d_h, "d_h"), scale,
                                            op.d_h.rows(), op.d_h.columns(), op.d_y.columns()});
  launch_tiles(launcher, LoraWeightGradient{d_y, launcher.reads<float>(op.h, "h"),
                                            launcher.writes<float>(op.d_b, "d_b"), DeviceDropout{},
                                            scale, op.d_b.rows(), op.d_b.columns(), op.d_y.rows()});
}

std::size_t scratch_bytes(const ops::OpContext&, const ops::LoraDownBackward& op) {
  return key_bytes(op.dropout, op.x.rows());
}

void run(ops::OpContext& context, const ops::LoraDownBackward& op) {
  Launcher launcher(context, op.kName);
  const DeviceDropout dropout = on_device(launcher, op.dropout);
  const auto d_h = launcher.reads<float>(op.d_h, "d_h");
  launch_tiles(launcher, LoraWeightGradient{d_h, launcher.reads<float>(op.x, "x"),
                                            launcher.writes<float>(op.d_a, "d_a"), dropout, 1.0f,
                                            op.d_a.rows(), op.d_a.columns(), op.x.rows()});
  if (!op.d_x.present()) return;
  launch_tiles(launcher,
               LoraInputGradient{d_h, launcher.reads<float>(op.a, "a"),
                                 launcher.writes<float>(op.d_x, "d_x"), dropout, op.accumulate,
                                 op.d_x.rows(), op.d_x.columns(), op.a.rows()});
}

}  // namespace hone::kernels::gpu
