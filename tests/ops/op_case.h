// A case of an operation, as data: its operands, and what is promised of it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/cpu_table.h"
#include "kernels/reference/reference_table.h"
#include "ops/op_context.h"
#include "ops/operands.h"
#include "ops/tolerance.h"

namespace hone::tests {

// Whose kernels run, and where.
struct Machine {
  const ops::OpTable& table;
  int threads = 1;
  Device* device = nullptr;
};

// Runs an operation on operands.
using Runner = std::function<void(const Machine& machine, const Operands& operands)>;

struct OpCase {
  std::string op;    // Op::kName
  std::string name;  // letters, digits and underscores
  std::vector<OperandSpec> operands;
  Runner run;
  Tolerance tolerance;
  // Rounding must show: a result that equals the reference's in every bit did not come from a
  // kernel that sums in f32.
  bool rounds_visibly = false;
  // The reference computes with the case's own dtypes (where their rounding is the operation)
  // instead of complex double.
  bool reference_in_own_dtypes = false;
  // Outputs that may take an input's memory: (output, input).
  std::vector<std::pair<std::string, std::string>> may_share = {};
};

// A backward operation proved by the complex step: with f = sum over forward's outputs of
// weight * output, the gradient of every input is Im f(input + i h) / h.
struct GradientCase {
  std::string op;  // of the backward
  std::string name;
  std::vector<OperandSpec> operands;  // of both; gradients are updated operands
  Runner forward;
  Runner backward;
  // (output, its gradient): the gradient's values are the weights.
  std::vector<std::pair<std::string, std::string>> outputs;
  // (input, its gradient): what backward adds to the latter, or assigns, is what is proved.
  std::vector<std::pair<std::string, std::string>> inputs;
};

// Gives kernels exactly the scratch that they ask for, with guard bytes after it.
class GuardedScratch {
 public:
  explicit GuardedScratch(std::size_t bytes);
  TensorView view() const;
  bool intact() const;

 private:
  mutable std::vector<std::byte> storage_;
  std::size_t first_, bytes_;
};

void fail_scratch(std::string_view op);

// A runner from a function that names the operands: Op make(const Operands&).
template <class Make>
Runner runner(Make make) {
  return [make](const Machine& machine, const Operands& operands) {
    const auto op = make(operands);
    ops::OpContext context;
    context.table = &machine.table;
    context.threads = machine.threads;
    context.device = machine.device;
    const GuardedScratch scratch(ops::scratch_bytes(context, op));
    context.scratch = scratch.view();
    ops::run(context, op);
    if (!scratch.intact()) fail_scratch(op.kName);
  };
}

template <class Make>
OpCase op_case(const std::string& name, std::vector<OperandSpec> operands, Make make,
               Tolerance tolerance) {
  using Op = decltype(make(std::declval<const Operands&>()));
  return {std::string(Op::kName), name, std::move(operands), runner(make), std::move(tolerance)};
}

using Cases = std::vector<OpCase>;
using GradientCases = std::vector<GradientCase>;

}  // namespace hone::tests
