// Every case of every operation on every emulated card, in several orders of threads and blocks.
#include <gtest/gtest.h>

#include "emulated/emulated_table.h"
#include "ops/op_list.h"
#include "ops/promises.h"

namespace hone::tests {
namespace {

// Seed 0 is the order of indices. More seeds: tests/emulated_orders. Builds that are not optimized,
// those of the sanitizers, take one card of each wave width and fewer orders.
#if defined(NDEBUG)
constexpr std::uint64_t kSeeds = 3;
constexpr std::size_t kEveryCard = 1;
#else
constexpr std::uint64_t kSeeds = 2;
constexpr std::size_t kEveryCard = 3;
#endif

class EmulatedKernel : public testing::TestWithParam<std::string> {};

void expect_promises(const OpCase& c, const Operands& expected, EmulatedDevice& device) {
  const ops::OpTable table = emulated_table();
  const Machine machine = {table, 1, &device};
  Bits first;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE("order " + std::to_string(seed));
    device.set_seed(seed);
    const Operands found = fresh(c);
    c.run(machine, found);
    if (seed == 0) {
      expect_near(c, expected, found, 1.0);
      expect_only_outputs_touched(c, found);
      first = bits_of(c, found);
    }
    EXPECT_TRUE(first == bits_of(c, found)) << "the order of threads changed bits";
  }
}

TEST_P(EmulatedKernel, AgreesWithReferenceInEveryOrder) {
  for (const OpCase& c : all_cases()) {
    if (c.op != GetParam()) continue;
    SCOPED_TRACE(c.name);
    const Operands expected = reference(c, 1);
    for (std::size_t i = 0; i < emulated_cards().size(); i += kEveryCard) {
      const Card& card = emulated_cards()[i];
      SCOPED_TRACE(card.target);
      EmulatedDevice device({.card = card, .host_memory_is_visible = true});
      expect_promises(c, expected, device);
    }
  }
}

// One card is enough: what accumulates, and what may share memory, does not depend on waves.
TEST_P(EmulatedKernel, AccumulatesAndShares) {
  const ops::OpTable table = emulated_table();
  EmulatedDevice device({.card = emulated_cards().front(), .host_memory_is_visible = true});
  const Performer perform = [&](const OpCase& c, const Operands& operands) {
    c.run({table, 1, &device}, operands);
  };
  for (const OpCase& c : all_cases()) {
    if (c.op != GetParam()) continue;
    SCOPED_TRACE(c.name);
    expect_runs_twice(c, perform);
    expect_shares_memory(c, perform);
  }
}

std::vector<std::string> gpu_operations() {
  std::vector<std::string> names = operations();
  std::erase(names, std::string(ops::Product::kName));  // the CPU's, here
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, EmulatedKernel, testing::ValuesIn(gpu_operations()),
                         [](const auto& one) { return one.param; });

TEST(GpuTable, HasEveryOperationButTheLibrarysProduct) {
  ops::AllOps::for_each([]<class Op>() {
    EXPECT_EQ(ops::supported<Op>(kernels::gpu_table()), Op::kName != ops::Product::kName)
        << Op::kName;
  });
}

}  // namespace
}  // namespace hone::tests
