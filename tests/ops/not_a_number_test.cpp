// A NaN anywhere in what a loss or a gradient is made of must reach it: the sentinel reads results,
// and a maximum or a mask that swallows a NaN would hide it.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cases.h"

namespace hone::tests {
namespace {

bool any_nan(const GuardedTensor& tensor) {
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    if (std::isnan(tensor.get(i))) return true;
  }
  return false;
}

// Every floating input of these cases, poisoned alone, poisons an output.
void expect_spread(const OpCase& c) {
  SCOPED_TRACE(c.op + " " + c.name);
  for (const OperandSpec& spec : c.operands) {
    if (spec.role == Role::assigned) continue;
    Operands operands(c.operands, 7);
    GuardedTensor& tensor = operands.tensor(spec.name);
    if (tensor.elements() == 0) return;
    tensor.set(tensor.elements() / 2, NAN);
    c.run({kernels::cpu_table(), 2}, operands);
    bool spread = false;
    for (const OperandSpec& output : c.operands) {
      if (output.role != Role::input) spread = spread || any_nan(operands.tensor(output.name));
    }
    EXPECT_TRUE(spread) << "a NaN in " << spec.name << " vanished";
  }
}

TEST(NotANumber, ReachesTheResult) {
  for (const OpCase& c : all_cases()) {
    // Backward of attention remakes out and log_sum_exp; lookups and casts move single elements;
    // rope reads some rows of its tables only.
    const bool whole = c.op == "head_statistics" || c.op == "head_gradient" ||
                       c.op == "swiglu_forward" || c.op == "swiglu_backward" ||
                       c.op == "rms_norm_forward" || c.op == "rms_norm_backward" ||
                       c.op == "squared_norm" || c.op == "adamw" || c.op == "bias_backward";
    if (whole || (c.op == "attention_forward" && c.name == "model")) expect_spread(c);
  }
}

}  // namespace
}  // namespace hone::tests
