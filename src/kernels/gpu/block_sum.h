// Sums over the threads of a block, in an order that depends on nothing but their number.
#pragma once

#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

template <int kWave, class T>
GPU_DEVICE T wave_sum(const Thread& t, T value) {
  for (int mask = kWave / 2; mask > 0; mask /= 2) {
    value += t.exchange_xor<kWave>(value, mask);
  }
  return value;
}

constexpr int kMostWaves = 1024 / 32;

template <class T>
using WaveParts = SharedArray<T, kMostWaves>;

// Every thread of the block must come here; each gets the sum. `parts` may be used again at once.
template <int kWave, class T>
GPU_DEVICE T block_sum(const Thread& t, WaveParts<T>& parts, T value) {
  value = wave_sum<kWave>(t, value);
  if (t.index() % kWave == 0) parts[t.index() / kWave] = value;
  t.barrier();
  T sum = parts[0];
  for (int wave = 1; wave < t.threads() / kWave; ++wave) sum += parts[wave];
  t.barrier();
  return sum;
}

}  // namespace hone::kernels::gpu
