// numpy's default_rng(seed).permutation(n): the order in which `val_size` splits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace hone::data {

// numpy.random.default_rng(seed): PCG64 (XSL-RR 128/64; O'Neill, "PCG: A Family of Simple Fast
// Space-Efficient Statistically Good Algorithms for Random Number Generation", 2014), its state
// filled by numpy's SeedSequence.
class NumpyGenerator {
 public:
  explicit NumpyGenerator(std::uint64_t seed);

  std::uint64_t next64();
  // The lower half of a 64-bit draw; the upper half is kept for the next call.
  std::uint32_t next32();
  // Uniform in [0, largest], as numpy's shuffle draws it: masked rejection, from 32-bit draws when
  // `largest` fits into 32 bits.
  std::uint64_t up_to(std::uint64_t largest);

 private:
  struct Wide {  // 128 bits
    std::uint64_t high = 0;
    std::uint64_t low = 0;
  };
  static Wide add(Wide a, Wide b);
  static Wide multiply(Wide a, Wide b);
  void advance();

  Wide state_;
  Wide increment_;
  bool has_half_ = false;
  std::uint32_t half_ = 0;
};

// default_rng(seed).permutation(n). n >= 0, seed >= 0 as numpy demands.
std::vector<std::int64_t> numpy_permutation(std::int64_t n, std::uint64_t seed);

}  // namespace hone::data
