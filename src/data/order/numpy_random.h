// numpy's random numbers, by which data sets are split, mixed, sampled and shuffled.
#pragma once

#include <array>
#include <cstdint>
#include <random>
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
  // Uniform in [0, 1): random().
  double uniform();
  // Uniform in [0, bound), as integers(0, bound) draws it: Lemire's method on 32-bit draws. bound
  // from 1 to 2^32 - 1.
  std::uint32_t below(std::uint32_t bound);
  // The same for bounds up to 2^63, on 64-bit draws: needed for bounds above 2^32.
  std::uint64_t below_wide(std::uint64_t bound);

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

// numpy's older generator, numpy.random.seed(seed): mt19937 with the classic 32-bit
// initialisation, masked rejection on 32-bit draws.
class NumpyLegacyGenerator {
 public:
  explicit NumpyLegacyGenerator(std::uint32_t seed) : generator_(seed) {}

  // numpy.random.permutation(n), n up to 2^32.
  std::vector<std::int64_t> permutation(std::int64_t n);
  // One of numpy.random.choice(n, size): uniform in [0, n).
  std::int64_t choice(std::int64_t n) {
    return static_cast<std::int64_t>(up_to(static_cast<std::uint32_t>(n - 1)));
  }

 private:
  std::uint32_t up_to(std::uint32_t largest);

  std::mt19937 generator_;
};

// default_rng(seed).permutation(n). n >= 0, seed >= 0 as numpy demands.
std::vector<std::int64_t> numpy_permutation(std::int64_t n, std::uint64_t seed);

}  // namespace hone::data
