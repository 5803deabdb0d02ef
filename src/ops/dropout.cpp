#include "ops/dropout.h"

#include <cmath>

namespace hone::ops {

std::array<float, 4> dropout_factors(const Dropout& dropout, std::int64_t row,
                                     std::int64_t column) {
  const CounterRandom random(dropout.seed, RandomStream::adapter_dropout);
  const std::uint32_t lane = (dropout.channel << 20) | static_cast<std::uint32_t>(column / 4);
  const auto bits = random.bits(dropout.key_of_row[static_cast<std::size_t>(row)], lane);
  const double threshold = dropout.probability * 0x1p32;
  const auto kept = static_cast<float>(1.0 / (1.0 - dropout.probability));
  std::array<float, 4> factors;
  for (std::size_t i = 0; i < 4; ++i) {
    factors[i] = static_cast<double>(bits[i]) >= threshold ? kept : 0.0f;
  }
  return factors;
}

}  // namespace hone::ops
