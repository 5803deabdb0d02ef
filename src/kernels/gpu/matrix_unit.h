// The matrix units as kernels use them: one wave multiplies 16 x 16 x 16, bf16 in and f32 out.
// Which element a lane holds is written here by element, as kernels count; `line` is the row of A
// or the column of B and of D.
//
// What a lane gives to the unit is a Fragment: kInputs elements, two a register, in kRuns runs
// whose depths follow one another, so that a row's are loaded together.
//
// The depth is a dummy index: a kernel may let any 16 things be summed over, if A and B agree.
// After D = K Q^T a lane holds scores of `kOutputs` keys for one query; as_input() makes them the B
// of the next product, whose A then takes its rows in the order of key().
#pragma once

#include "kernels/gpu/elements.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu/launcher.h"

namespace hone::kernels::gpu {

constexpr int kMatrixSide = 16;

template <int kCount>
using Fragment = Words<kCount>;

// Element e of a fragment. The index must be known when the code is compiled.
template <int kCount>
GPU_DEVICE void put(Fragment<kCount>& to, int e, BFloat16 value) {
  const std::uint32_t bits = static_cast<std::uint32_t>(value.bits) << (e % 2 * 16);
  to.word[e / 2] = e % 2 == 0 ? bits : to.word[e / 2] | bits;
}

// Two elements, rounded to nearest even.
GPU_DEVICE std::uint32_t pair_of(float low, float high) {
  return narrowed<BFloat16>(low).bits | static_cast<std::uint32_t>(narrowed<BFloat16>(high).bits)
                                            << 16;
}

GPU_DEVICE int matrix_line(int lane) {
  return lane % kMatrixSide;
}

struct Mfma {
  static constexpr MatrixUnit kUnit = MatrixUnit::mfma;
  static constexpr int kWave = 64, kInputs = 4, kOutputs = 4, kRuns = 1;
  GPU_DEVICE static int depth(int lane, int element) { return lane / 16 * 4 + element; }
  GPU_DEVICE static int row(int lane, int output) { return lane / 16 * 4 + output; }
  GPU_DEVICE static int key(int lane, int element) { return row(lane, element); }
  GPU_DEVICE static void as_input(const Thread&, const float (&d)[kOutputs], Fragment<kInputs>& b) {
    for (int g = 0; g < kOutputs; g += 2) b.word[g / 2] = pair_of(d[g], d[g + 1]);
  }
};

struct Wmma12 {
  static constexpr MatrixUnit kUnit = MatrixUnit::wmma12;
  static constexpr int kWave = 32, kInputs = 8, kOutputs = 8, kRuns = 2;
  GPU_DEVICE static int depth(int lane, int element) {
    return element / 4 * 8 + lane / 16 * 4 + element % 4;
  }
  GPU_DEVICE static int row(int lane, int output) { return lane / 16 * 8 + output; }
  GPU_DEVICE static int key(int lane, int element) { return row(lane, element); }
  GPU_DEVICE static void as_input(const Thread&, const float (&d)[kOutputs], Fragment<kInputs>& b) {
    for (int g = 0; g < kOutputs; g += 2) b.word[g / 2] = pair_of(d[g], d[g + 1]);
  }
};

// Lanes 16 to 31 must repeat what lanes 0 to 15 hold of A and B, but have rows of D of their own.
struct Wmma11 {
  static constexpr MatrixUnit kUnit = MatrixUnit::wmma11;
  static constexpr int kWave = 32, kInputs = 16, kOutputs = 8, kRuns = 1;
  GPU_DEVICE static int depth(int, int element) { return element; }
  GPU_DEVICE static int row(int lane, int output) { return 2 * output + lane / 16; }
  GPU_DEVICE static int key(int, int element) { return element; }
  GPU_DEVICE static void as_input(const Thread& t, const float (&d)[kOutputs],
                                  Fragment<kInputs>& b) {
    const bool upper = t.index() % kWave >= 16;
    for (int output = 0; output < kOutputs; ++output) {
      const float other = t.exchange_xor<kWave>(d[output], 16);
      b.word[output] = upper ? pair_of(other, d[output]) : pair_of(d[output], other);
    }
  }
};

}  // namespace hone::kernels::gpu
