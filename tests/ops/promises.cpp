#include "ops/promises.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace hone::tests {

std::vector<std::string> operations() {
  std::set<std::string> names;
  for (const OpCase& c : all_cases()) names.insert(c.op);
  return {names.begin(), names.end()};
}

Operands fresh(const OpCase& c) {
  constexpr std::uint64_t kSeed = 7;
  return Operands(c.operands, kSeed);
}

Operands reference(const OpCase& c, int times) {
  const Operands operands = c.reference_in_own_dtypes ? fresh(c) : fresh(c).as_complex();
  for (int i = 0; i < times; ++i) c.run({kernels::reference_table()}, operands);
  return operands;
}

Bits bits_of(const OpCase& c, const Operands& operands) {
  Bits all;
  for (const OperandSpec& spec : c.operands) all.push_back(operands.tensor(spec.name).bytes());
  return all;
}

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

void expect_only_outputs_touched(const OpCase& c, const Operands& after) {
  const Operands before = fresh(c);
  for (const OperandSpec& spec : c.operands) {
    const GuardedTensor& tensor = after.tensor(spec.name);
    EXPECT_EQ(tensor.broken_guard(), "");
    if (spec.role == Role::input) {
      EXPECT_TRUE(tensor.bytes() == before.tensor(spec.name).bytes()) << spec.name << " changed";
    }
  }
}

void expect_runs_twice(const OpCase& c, const Performer& perform) {
  const Operands found = fresh(c);
  perform(c, found);
  const Bits once = bits_of(c, found);
  perform(c, found);
  expect_near(c, reference(c, 2), found, 2.0);
  const bool any_updated =
      std::any_of(c.operands.begin(), c.operands.end(),
                  [](const OperandSpec& spec) { return spec.role == Role::updated; });
  if (!any_updated) {
    EXPECT_TRUE(once == bits_of(c, found)) << "an assigned output kept something";
  }
}

void expect_shares_memory(const OpCase& c, const Performer& perform) {
  if (c.may_share.empty()) return;
  const Operands expected = fresh(c);
  perform(c, expected);
  for (const auto& [output, input] : c.may_share) {
    Operands shared = fresh(c);
    shared.share(output, input);
    perform(c, shared);
    const GuardedTensor& a = expected.tensor(output);
    const GuardedTensor& b = shared.tensor(output);
    for (std::int64_t i = 0; i < a.elements(); ++i) {
      ASSERT_EQ(a.get(i), b.get(i)) << output << " as " << input << ", element " << i;
    }
  }
}

}  // namespace hone::tests
