// What every device's kernels promise about a case: results near the reference's, nothing else
// touched, accumulation, shared memory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ops/cases.h"

namespace hone::tests {

// Runs a case on the device that is tested.
using Performer = std::function<void(const OpCase& c, const Operands& operands)>;
using Bits = std::vector<std::vector<std::byte>>;

// The names of all operations that have cases.
std::vector<std::string> operations();

// A case's operands as they are before the first run.
Operands fresh(const OpCase& c);
// The reference's results after `times` runs on fresh operands.
Operands reference(const OpCase& c, int times);
Bits bits_of(const OpCase& c, const Operands& operands);

// `times` is the number of runs, each of which may err once.
void expect_near(const OpCase& c, const Operands& expected, const Operands& found, double times);
// Guard bytes and inputs are as they were.
void expect_only_outputs_touched(const OpCase& c, const Operands& after);
// Assigned outputs do not care how often, updated ones take each run's share.
void expect_runs_twice(const OpCase& c, const Performer& perform);
// An output in the place of an input that it may share gets the same numbers.
void expect_shares_memory(const OpCase& c, const Performer& perform);

}  // namespace hone::tests
