#include "data/order/torch_order.h"

#include <fmt/format.h>

#include <numeric>
#include <random>
#include <utility>

#include "base/error.h"

namespace hone::data {

std::vector<std::int32_t> torch_random_order(std::int64_t records, std::int64_t seed) {
  HONE_ASSERT(records >= 0, records);
  if (records >= kTorchOrderLimit) {
    throw UserError(
        {"shuffle the training data",
         fmt::format("{} records; shuffling goes up to {}", records, kTorchOrderLimit - 1),
         "set disable_shuffling: true, or limit the records with max_samples"});
  }
  std::vector<std::int32_t> order(static_cast<std::size_t>(records));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const std::size_t shift = generator() % (order.size() - i);
    std::swap(order[i], order[i + shift]);
  }
  return order;
}

}  // namespace hone::data
