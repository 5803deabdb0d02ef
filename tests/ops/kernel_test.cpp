// Every case against the reference, on every instruction set that this machine has; and what the
// operations' headers promise about outputs, memory and bits.
#include "kernels/cpu/simd_targets.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <memory>

#include "device/cpu/cpu_device.h"
#include "ops/promises.h"

namespace hone::tests {
namespace {

// One instruction set, or all (0).
void choose_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().DeInit();
}

// One test per operation and promise; it goes through the operation's cases.
class Kernel : public testing::TestWithParam<std::string> {
 protected:
  template <class Visit>
  void for_each_case(const Visit& visit) const {
    for (const OpCase& c : all_cases()) {
      if (c.op != GetParam()) continue;
      SCOPED_TRACE(c.name);
      visit(c);
    }
  }
};

void run_threads(const OpCase& c, const Operands& operands, int threads) {
  // Opening the device makes waiting threads sleep soon, as in the program.
  static const std::unique_ptr<Device> device = open_cpu_device({2});
  c.run({kernels::cpu_table(), threads}, operands);
}

void run_cpu(const OpCase& c, const Operands& operands) {
  run_threads(c, operands, 2);
}

TEST_P(Kernel, AgreesWithReference) {
  for_each_case([](const OpCase& c) {
    const Operands expected = reference(c, 1);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
      choose_target(target);
      SCOPED_TRACE(hwy::TargetName(target));
      const Operands found = fresh(c);
      run_cpu(c, found);
      expect_near(c, expected, found, 1.0);
    }
    choose_target(0);
  });
}

TEST_P(Kernel, TouchesItsOutputsOnly) {
  for_each_case([](const OpCase& c) {
    const Operands operands = fresh(c);
    run_cpu(c, operands);
    expect_only_outputs_touched(c, operands);
  });
}

TEST_P(Kernel, RunsTwice) {
  for_each_case([](const OpCase& c) { expect_runs_twice(c, run_cpu); });
}

TEST_P(Kernel, GivesTheSameBits) {
  for_each_case([](const OpCase& c) {
    Bits first;
    for (const int threads : {1, 2, 3}) {
      const Operands once = fresh(c);
      const Operands again = fresh(c);
      run_threads(c, once, threads);
      run_threads(c, again, threads);
      EXPECT_TRUE(bits_of(c, once) == bits_of(c, again)) << "runs differ, threads " << threads;
      if (first.empty()) first = bits_of(c, once);
      EXPECT_TRUE(first == bits_of(c, once)) << "threads " << threads << " changed bits";
    }
  });
}

TEST_P(Kernel, SharesMemoryWhereAllowed) {
  for_each_case([](const OpCase& c) { expect_shares_memory(c, run_cpu); });
}

INSTANTIATE_TEST_SUITE_P(Ops, Kernel, testing::ValuesIn(operations()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hone::tests
