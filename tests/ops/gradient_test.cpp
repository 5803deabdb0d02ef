// Every backward of the reference, proved by the complex step: no subtraction, so no loss of
// digits, and no step to choose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/cases.h"

namespace hone::tests {
namespace {

constexpr double kStep = 1e-60;

class Gradient : public testing::TestWithParam<GradientCase> {};

// Im of the weighted sum of forward's outputs, over the step: the derivative.
double derivative(const GradientCase& c, const Operands& start, const std::string& input,
                  std::int64_t element) {
  Operands moved = start;
  GuardedTensor& tensor = moved.tensor(input);
  tensor.set(element, tensor.get(element), kStep);
  c.forward({kernels::reference_table()}, moved);
  double sum = 0.0;
  for (const auto& [output, weights] : c.outputs) {
    for (std::int64_t i = 0; i < start.tensor(weights).elements(); ++i) {
      sum += start.tensor(weights).get(i) * moved.tensor(output).get_imaginary(i);
    }
  }
  return sum / kStep;
}

// A backward in place turns the outputs' gradient into the input's.
bool holds_weights(const GradientCase& c, const std::string& gradient) {
  return std::any_of(c.outputs.begin(), c.outputs.end(),
                     [&](const auto& pair) { return pair.second == gradient; });
}

TEST_P(Gradient, IsTheComplexSteps) {
  const GradientCase& c = GetParam();
  const Operands start = Operands(c.operands, 11).as_complex();
  Operands after = start;
  c.forward({kernels::reference_table()}, after);
  const Operands before = after;
  c.backward({kernels::reference_table()}, after);
  for (const auto& [input, gradient] : c.inputs) {
    const GuardedTensor& result = after.tensor(gradient);
    const bool accumulated = result.spec().role == Role::updated && !holds_weights(c, gradient);
    double largest = 0.0;
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      largest = std::max(largest, std::fabs(result.get(i)));
    }
    // Both sides are sums in f64 of at most a few thousand terms of about the largest gradient.
    const double bound = 1e-12 * std::max(largest, 1e-3);
    // Primes step through large operands without falling into step with their rows.
    const std::int64_t stride = result.elements() > 400 ? 13 : 1;
    for (std::int64_t i = 0; i < result.elements(); i += stride) {
      const double start_value = accumulated ? before.tensor(gradient).get(i) : 0.0;
      ASSERT_NEAR(result.get(i) - start_value, derivative(c, start, input, i), bound)
          << gradient << "[" << i << "]";
    }
  }
}

std::string name_of(const testing::TestParamInfo<GradientCase>& info) {
  return info.param.op + "_" + info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Ops, Gradient, testing::ValuesIn(all_gradient_cases()), name_of);

}  // namespace
}  // namespace hone::tests
