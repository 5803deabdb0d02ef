// The same bits in twenty orders of threads and blocks, for every case on every emulated card.
#include <gtest/gtest.h>

#include "emulated/emulated_table.h"
#include "ops/product.h"
#include "ops/promises.h"

namespace hone::tests {
namespace {

constexpr std::uint64_t kSeeds = 20;

class EmulatedOrder : public testing::TestWithParam<Card> {};

TEST_P(EmulatedOrder, ChangesNoBits) {
  const ops::OpTable table = emulated_table();
  EmulatedDevice device({.card = GetParam(), .host_memory_is_visible = true});
  for (const OpCase& c : all_cases()) {
    if (c.op == ops::Product::kName) continue;
    SCOPED_TRACE(c.op + " " + c.name);
    Bits first;
    for (std::uint64_t seed = 0; seed <= kSeeds; ++seed) {
      device.set_seed(seed);
      const Operands found = fresh(c);
      c.run({table, 1, &device}, found);
      if (seed == 0) first = bits_of(c, found);
      ASSERT_TRUE(first == bits_of(c, found)) << "order " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cards, EmulatedOrder, testing::ValuesIn(emulated_cards()),
                         [](const auto& one) { return one.param.target; });

}  // namespace
}  // namespace hone::tests
