// Counter-based random numbers: a number is a function of its coordinates, with no state to keep,
// so that it does not depend on threads, ranks, packing or resumption.
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once

#include <array>
#include <cstdint>

namespace hone {

// What a stream of numbers is for; streams never overlap. Values are part of the reproducibility
// promise: append only.
enum class RandomStream : std::uint32_t {
  adapter_init = 1,
  adapter_dropout = 2,
  stochastic_rounding = 3,
  sampling = 4,
};

// The raw generator: 128 random bits for a 128-bit counter and a 64-bit key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

// The numbers of one (seed, stream): index and lane are coordinates chosen by the caller.
class CounterRandom {
 public:
  CounterRandom(std::uint64_t seed, RandomStream stream) : seed_(seed), stream_(stream) {}

  // Four independent 32-bit numbers. `index` has 64 bits, `lane` 32.
  std::array<std::uint32_t, 4> bits(std::uint64_t index, std::uint32_t lane) const;

  // One number uniform in [0, 1), 24 bits of it.
  float uniform(std::uint64_t index, std::uint32_t lane) const;

 private:
  std::uint64_t seed_;
  RandomStream stream_;
};

}  // namespace hone
