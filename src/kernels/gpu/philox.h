// Counter-based random numbers on the device: the very numbers of base/random.h.
#pragma once

#include "base/random.h"
#include "kernels/gpu/gpu.h"

namespace hone::kernels::gpu {

struct RandomWords {
  std::uint32_t word[4];
};

GPU_DEVICE RandomWords philox(std::uint64_t seed, RandomStream stream, std::uint64_t index,
                              std::uint32_t lane) {
  std::uint32_t c0 = static_cast<std::uint32_t>(index);
  std::uint32_t c1 = static_cast<std::uint32_t>(index >> 32);
  std::uint32_t c2 = lane;
  std::uint32_t c3 = static_cast<std::uint32_t>(stream);
  std::uint32_t k0 = static_cast<std::uint32_t>(seed);
  std::uint32_t k1 = static_cast<std::uint32_t>(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c2;
    c0 = static_cast<std::uint32_t>(product1 >> 32) ^ c1 ^ k0;
    c1 = static_cast<std::uint32_t>(product1);
    c2 = static_cast<std::uint32_t>(product0 >> 32) ^ c3 ^ k1;
    c3 = static_cast<std::uint32_t>(product0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

}  // namespace hone::kernels::gpu
