// Every case against the reference, on every instruction set that this machine has; and what the
// operations' headers promise about outputs, memory and bits.
#include "kernels/cpu/simd_targets.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "device/cpu/cpu_device.h"
#include "ops/cases.h"

namespace hone::tests {
namespace {

using Results = std::vector<std::vector<std::byte>>;

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

Operands fresh(const OpCase& c) {
  constexpr std::uint64_t kSeed = 7;
  return Operands(c.operands, kSeed);
}

void run_cpu(const OpCase& c, const Operands& operands, int threads = 2) {
  // Opening the device makes waiting threads sleep soon, as in the program.
  static const std::unique_ptr<Device> device = open_cpu_device({2});
  c.run(kernels::cpu_table(), threads, operands);
}

// The reference's results after `times` runs on fresh operands.
Operands reference(const OpCase& c, int times) {
  const Operands operands = c.reference_in_own_dtypes ? fresh(c) : fresh(c).as_complex();
  for (int i = 0; i < times; ++i) c.run(kernels::reference_table(), 1, operands);
  return operands;
}

// `times` is the number of runs, each of which may err once.
void expect_near(const OpCase& c, const Operands& expected, const Operands& found, double times) {
  double largest = 0.0;
  for (const OperandSpec& spec : c.operands) {
    if (spec.role == Role::input) continue;
    const GuardedTensor& a = expected.tensor(spec.name);
    const GuardedTensor& b = found.tensor(spec.name);
    for (std::int64_t i = 0; i < a.elements(); ++i) {
      if (a.get(i) == b.get(i)) continue;  // infinities too
      const double error = std::fabs(a.get(i) - b.get(i));
      largest = std::max(largest, error);
      const double bound = times * c.tolerance.bound(a.get(i));
      ASSERT_TRUE(error <= bound) << spec.name << "[" << i << "]: expected " << a.get(i)
                                  << ", found " << b.get(i) << ", bound " << bound << " ("
                                  << c.tolerance.reason << ")";
    }
  }
  if (c.rounds_visibly) {
    EXPECT_GT(largest, 0.0) << "no rounding at all: did the kernel run?";
  }
}

Results results(const OpCase& c, const Operands& operands) {
  Results all;
  for (const OperandSpec& spec : c.operands) all.push_back(operands.tensor(spec.name).bytes());
  return all;
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
    const Operands before = fresh(c);
    run_cpu(c, operands);
    for (const OperandSpec& spec : c.operands) {
      const GuardedTensor& tensor = operands.tensor(spec.name);
      EXPECT_EQ(tensor.broken_guard(), "");
      if (spec.role == Role::input) {
        EXPECT_TRUE(tensor.bytes() == before.tensor(spec.name).bytes()) << spec.name << " changed";
      }
    }
  });
}

// Assigned outputs do not care how often, updated ones take each run's share.
TEST_P(Kernel, RunsTwice) {
  for_each_case([](const OpCase& c) {
    const Operands found = fresh(c);
    run_cpu(c, found);
    const Results once = results(c, found);
    run_cpu(c, found);
    expect_near(c, reference(c, 2), found, 2.0);
    const bool any_updated =
        std::any_of(c.operands.begin(), c.operands.end(),
                    [](const OperandSpec& spec) { return spec.role == Role::updated; });
    if (!any_updated) {
      EXPECT_TRUE(once == results(c, found)) << "an assigned output kept something";
    }
  });
}

TEST_P(Kernel, GivesTheSameBits) {
  for_each_case([](const OpCase& c) {
    Results first;
    for (const int threads : {1, 2, 3}) {
      const Operands once = fresh(c);
      const Operands again = fresh(c);
      run_cpu(c, once, threads);
      run_cpu(c, again, threads);
      EXPECT_TRUE(results(c, once) == results(c, again)) << "runs differ, threads " << threads;
      if (first.empty()) first = results(c, once);
      EXPECT_TRUE(first == results(c, once)) << "threads " << threads << " changed bits";
    }
  });
}

TEST_P(Kernel, SharesMemoryWhereAllowed) {
  for_each_case([](const OpCase& c) {
    if (c.may_share.empty()) return;
    const Operands expected = fresh(c);
    run_cpu(c, expected);
    for (const auto& [output, input] : c.may_share) {
      Operands shared = fresh(c);
      shared.share(output, input);
      run_cpu(c, shared);
      const GuardedTensor& a = expected.tensor(output);
      const GuardedTensor& b = shared.tensor(output);
      for (std::int64_t i = 0; i < a.elements(); ++i) {
        ASSERT_EQ(a.get(i), b.get(i)) << output << " as " << input << ", element " << i;
      }
    }
  });
}

std::vector<std::string> operations() {
  std::set<std::string> names;
  for (const OpCase& c : all_cases()) names.insert(c.op);
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(Ops, Kernel, testing::ValuesIn(operations()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace hone::tests
