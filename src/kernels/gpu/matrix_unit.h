// The matrix units as kernels use them: one wave multiplies 16 x 16 x 16, bf16 in and f32 out.
// Which element a lane holds is written here by element, as kernels count; `line` is the row of A
// or the column of B and of D.
//
// The depth is a dummy index: a kernel may let any 16 things be summed over, if A and B agree.
// After D = K Q^T a lane holds scores of `kOutputs` keys for one query; as_input() makes them the B
// of the next product, whose A then takes its rows in the order of key().
#pragma once

#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

constexpr int kMatrixSide = 16;

GPU_DEVICE int matrix_line(int lane) {
  return lane % kMatrixSide;
}

struct Mfma {
  static constexpr MatrixUnit kUnit = MatrixUnit::mfma;
  static constexpr int kWave = 64, kInputs = 4, kOutputs = 4;
  GPU_DEVICE static int depth(int lane, int element) { return lane / 16 * 4 + element; }
  GPU_DEVICE static int row(int lane, int output) { return lane / 16 * 4 + output; }
  GPU_DEVICE static int key(int lane, int element) { return row(lane, element); }
  GPU_DEVICE static void as_input(const Thread&, const float (&d)[kOutputs],
                                  BFloat16 (&b)[kInputs]) {
    for (int e = 0; e < kInputs; ++e) b[e] = narrowed<BFloat16>(d[e]);
  }
};

struct Wmma12 {
  static constexpr MatrixUnit kUnit = MatrixUnit::wmma12;
  static constexpr int kWave = 32, kInputs = 8, kOutputs = 8;
  GPU_DEVICE static int depth(int lane, int element) {
    return element / 4 * 8 + lane / 16 * 4 + element % 4;
  }
  GPU_DEVICE static int row(int lane, int output) { return lane / 16 * 8 + output; }
  GPU_DEVICE static int key(int lane, int element) { return row(lane, element); }
  GPU_DEVICE static void as_input(const Thread&, const float (&d)[kOutputs],
                                  BFloat16 (&b)[kInputs]) {
    for (int e = 0; e < kInputs; ++e) b[e] = narrowed<BFloat16>(d[e]);
  }
};

// Lanes 16 to 31 must repeat what lanes 0 to 15 hold of A and B, but have rows of D of their own.
struct Wmma11 {
  static constexpr MatrixUnit kUnit = MatrixUnit::wmma11;
  static constexpr int kWave = 32, kInputs = 16, kOutputs = 8;
  GPU_DEVICE static int depth(int, int element) { return element; }
  GPU_DEVICE static int row(int lane, int output) { return 2 * output + lane / 16; }
  GPU_DEVICE static int key(int, int element) { return element; }
  GPU_DEVICE static void as_input(const Thread& t, const float (&d)[kOutputs],
                                  BFloat16 (&b)[kInputs]) {
    const bool upper = t.index() % kWave >= 16;
    for (int output = 0; output < kOutputs; ++output) {
      const float other = t.exchange_xor<kWave>(d[output], 16);
      b[2 * output] = narrowed<BFloat16>(upper ? other : d[output]);
      b[2 * output + 1] = narrowed<BFloat16>(upper ? d[output] : other);
    }
  }
};

}  // namespace hone::kernels::gpu
