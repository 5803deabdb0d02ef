#include "data/order/numpy_random.h"

#include <numeric>
#include <tuple>
#include <utility>

#include "base/error.h"

namespace hone::data {
namespace {

// numpy.random.SeedSequence(seed).generate_state(4, uint64): a pool of four words, mixed by
// multiply-xorshift hashes (after O'Neill's seed_seq_fe). Constants are numpy's.
class SeedPool {
 public:
  explicit SeedPool(std::uint64_t seed) {
    const std::array<std::uint32_t, 4> entropy = {static_cast<std::uint32_t>(seed),
                                                  static_cast<std::uint32_t>(seed >> 32), 0, 0};
    std::uint32_t constant = 0x43b0d7e5u;
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(entropy[i], constant);
    for (std::size_t from = 0; from < pool_.size(); ++from) {
      for (std::size_t to = 0; to < pool_.size(); ++to) {
        if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from], constant));
      }
    }
  }

  std::array<std::uint64_t, 4> state() const {
    std::array<std::uint64_t, 4> words = {};
    std::uint32_t constant = 0x8b51f9ddu;
    for (std::size_t i = 0; i < 8; ++i) {
      std::uint32_t value = pool_[i % pool_.size()] ^ constant;
      constant *= 0x58f38dedu;
      value *= constant;
      value ^= value >> 16;
      words[i / 2] |= static_cast<std::uint64_t>(value) << (i % 2 == 0 ? 0 : 32);
    }
    return words;
  }

 private:
  static std::uint32_t hash(std::uint32_t value, std::uint32_t& constant) {
    value ^= constant;
    constant *= 0x931e8875u;
    value *= constant;
    return value ^ (value >> 16);
  }
  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t value = x * 0xca01f9ddu - y * 0x4973f715u;
    return value ^ (value >> 16);
  }

  std::array<std::uint32_t, 4> pool_ = {};
};

}  // namespace

NumpyGenerator::Wide NumpyGenerator::add(Wide a, Wide b) {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1u : 0u), low};
}

// Modulo 2^128.
NumpyGenerator::Wide NumpyGenerator::multiply(Wide a, Wide b) {
  const std::uint64_t a0 = a.low & 0xffffffffu;
  const std::uint64_t a1 = a.low >> 32;
  const std::uint64_t b0 = b.low & 0xffffffffu;
  const std::uint64_t b1 = b.low >> 32;
  const std::uint64_t middle = a1 * b0 + ((a0 * b0) >> 32);
  const std::uint64_t carry = a0 * b1 + (middle & 0xffffffffu);
  const std::uint64_t low_high = a1 * b1 + (middle >> 32) + (carry >> 32);
  return {low_high + a.high * b.low + a.low * b.high, a.low * b.low};
}

NumpyGenerator::NumpyGenerator(std::uint64_t seed) {
  const std::array<std::uint64_t, 4> words = SeedPool(seed).state();
  const Wide start = {words[0], words[1]};
  const Wide stream = {words[2], words[3]};
  increment_ = {(stream.high << 1) | (stream.low >> 63), (stream.low << 1) | 1u};
  advance();
  state_ = add(state_, start);
  advance();
}

void NumpyGenerator::advance() {
  constexpr Wide kMultiplier = {2549297995355413924u, 4865540595714422341u};
  state_ = add(multiply(state_, kMultiplier), increment_);
}

std::uint64_t NumpyGenerator::next64() {
  advance();
  const auto turn = static_cast<unsigned>(state_.high >> 58);
  const std::uint64_t folded = state_.high ^ state_.low;
  return (folded >> turn) | (folded << ((64u - turn) & 63u));
}

std::uint32_t NumpyGenerator::next32() {
  if (has_half_) {
    has_half_ = false;
    return half_;
  }
  const std::uint64_t both = next64();
  has_half_ = true;
  half_ = static_cast<std::uint32_t>(both >> 32);
  return static_cast<std::uint32_t>(both);
}

std::uint64_t NumpyGenerator::up_to(std::uint64_t largest) {
  if (largest == 0) return 0;
  std::uint64_t mask = largest;
  for (unsigned shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  while (true) {
    const std::uint64_t draw = largest <= 0xffffffffu ? next32() : next64();
    if ((draw & mask) <= largest) return draw & mask;
  }
}

double NumpyGenerator::uniform() {
  return static_cast<double>(next64() >> 11) * (1.0 / 9007199254740992.0);
}

std::uint32_t NumpyGenerator::below(std::uint32_t bound) {
  std::uint64_t product = std::uint64_t{next32()} * bound;
  auto low = static_cast<std::uint32_t>(product);
  if (low < bound) {
    const std::uint32_t threshold = (0xffffffffu - (bound - 1)) % bound;
    while (low < threshold) {
      product = std::uint64_t{next32()} * bound;
      low = static_cast<std::uint32_t>(product);
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

std::uint64_t NumpyGenerator::below_wide(std::uint64_t bound) {
  const auto high_and_low = [bound](std::uint64_t draw) {
    const std::uint64_t middle = (draw & 0xffffffffu) * (bound >> 32) +
                                 (((draw & 0xffffffffu) * (bound & 0xffffffffu)) >> 32);
    const std::uint64_t cross = (draw >> 32) * (bound & 0xffffffffu) + (middle & 0xffffffffu);
    return std::pair((draw >> 32) * (bound >> 32) + (middle >> 32) + (cross >> 32), draw * bound);
  };
  auto [high, low] = high_and_low(next64());
  if (low < bound) {
    const std::uint64_t threshold = (0xffffffffffffffffu - (bound - 1)) % bound;
    while (low < threshold) std::tie(high, low) = high_and_low(next64());
  }
  return high;
}

std::uint32_t NumpyLegacyGenerator::up_to(std::uint32_t largest) {
  if (largest == 0) return 0;
  std::uint32_t mask = largest;
  for (unsigned shift = 1; shift < 32; shift *= 2) mask |= mask >> shift;
  while (true) {
    const auto draw = static_cast<std::uint32_t>(generator_()) & mask;
    if (draw <= largest) return draw;
  }
}

std::vector<std::int64_t> NumpyLegacyGenerator::permutation(std::int64_t n) {
  HONE_ASSERT(n >= 0 && n <= 0xffffffffLL, n);
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[up_to(static_cast<std::uint32_t>(i))]);
  }
  return order;
}

std::vector<std::int64_t> numpy_permutation(std::int64_t n, std::uint64_t seed) {
  HONE_ASSERT(n >= 0, n);
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  NumpyGenerator generator(seed);
  for (std::size_t i = order.size(); i-- > 1;) {
    std::swap(order[i], order[generator.up_to(i)]);
  }
  return order;
}

}  // namespace hone::data
