// Every case against the reference, on every instruction set that this machine has; and what the
// operations' headers promise about outputs, memory and bits.
#include "kernels/cpu/simd_targets.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>

#include "ops/cases.h"

namespace hone::tests {
namespace {

using Results = std::vector<std::vector<std::byte>>;

// One instruction set, or all (0).
void choose_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().DeInit();
}

class Kernel : public testing::TestWithParam<OpCase> {
 protected:
  static constexpr std::uint64_t kSeed = 7;

  Operands fresh() const { return Operands(GetParam().operands, kSeed); }

  void run_cpu(const Operands& operands, int threads = 2) const {
    GetParam().run(kernels::cpu_table(), threads, operands);
  }

  // The reference's results after `times` runs on fresh operands.
  Operands reference(int times) const {
    const OpCase& c = GetParam();
    const Operands operands = c.reference_in_own_dtypes ? fresh() : fresh().as_complex();
    for (int i = 0; i < times; ++i) c.run(kernels::reference_table(), 1, operands);
    return operands;
  }

  // `times` is the number of runs, each of which may err once.
  void expect_near(const Operands& expected, const Operands& found, double times) const {
    const OpCase& c = GetParam();
    double largest = 0.0;
    for (const OperandSpec& spec : c.operands) {
      if (spec.role == Role::input) continue;
      const GuardedTensor& a = expected.tensor(spec.name);
      const GuardedTensor& b = found.tensor(spec.name);
      for (std::int64_t i = 0; i < a.elements(); ++i) {
        const bool equal = a.get(i) == b.get(i);  // infinities too
        const double error = equal ? 0.0 : std::fabs(a.get(i) - b.get(i));
        largest = std::max(largest, error);
        const double bound = times * c.tolerance.bound(a.get(i));
        ASSERT_TRUE(equal || error <= bound)
            << spec.name << "[" << i << "]: expected " << a.get(i) << ", found " << b.get(i)
            << ", bound " << bound << " (" << c.tolerance.reason << ")";
      }
    }
    if (c.rounds_visibly) {
      EXPECT_GT(largest, 0.0) << "no rounding at all: did the kernel run?";
    }
  }

  Results results(const Operands& operands) const {
    Results all;
    for (const OperandSpec& spec : GetParam().operands) {
      all.push_back(operands.tensor(spec.name).bytes());
    }
    return all;
  }
};

TEST_P(Kernel, AgreesWithReference) {
  const Operands expected = reference(1);
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    choose_target(target);
    SCOPED_TRACE(hwy::TargetName(target));
    const Operands found = fresh();
    run_cpu(found);
    expect_near(expected, found, 1.0);
  }
  choose_target(0);
}

TEST_P(Kernel, TouchesItsOutputsOnly) {
  const Operands operands = fresh();
  const Operands before = fresh();
  run_cpu(operands);
  for (const OperandSpec& spec : GetParam().operands) {
    const GuardedTensor& tensor = operands.tensor(spec.name);
    EXPECT_EQ(tensor.broken_guard(), "");
    if (spec.role == Role::input) {
      EXPECT_TRUE(tensor.bytes() == before.tensor(spec.name).bytes()) << spec.name << " changed";
    }
  }
}

// Assigned outputs do not care how often, updated ones take each run's share.
TEST_P(Kernel, RunsTwice) {
  const Operands expected = reference(2);
  const Operands found = fresh();
  run_cpu(found);
  const Results once = results(found);
  run_cpu(found);
  expect_near(expected, found, 2.0);
  bool any_updated = false;
  for (const OperandSpec& spec : GetParam().operands) {
    any_updated = any_updated || spec.role == Role::updated;
  }
  if (!any_updated) {
    EXPECT_TRUE(once == results(found)) << "an assigned output kept something";
  }
}

TEST_P(Kernel, GivesTheSameBits) {
  Results first;
  for (const int threads : {1, 2, 3}) {
    const Operands once = fresh();
    const Operands again = fresh();
    run_cpu(once, threads);
    run_cpu(again, threads);
    EXPECT_TRUE(results(once) == results(again)) << "two runs differ, threads " << threads;
    if (!GetParam().threads_change_nothing) continue;
    if (first.empty()) first = results(once);
    EXPECT_TRUE(first == results(once)) << "threads " << threads << " changed bits";
  }
}

TEST_P(Kernel, SharesMemoryWhereAllowed) {
  const Operands expected = fresh();
  run_cpu(expected);
  for (const auto& [output, input] : GetParam().may_share) {
    Operands shared = fresh();
    shared.share(output, input);
    run_cpu(shared);
    const GuardedTensor& a = expected.tensor(output);
    const GuardedTensor& b = shared.tensor(output);
    for (std::int64_t i = 0; i < a.elements(); ++i) {
      ASSERT_EQ(a.get(i), b.get(i)) << output << " in the memory of " << input << ", element " << i;
    }
  }
}

std::string name_of(const testing::TestParamInfo<OpCase>& info) {
  return info.param.op + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Ops, Kernel, testing::ValuesIn(all_cases()), name_of);

}  // namespace
}  // namespace hone::tests
